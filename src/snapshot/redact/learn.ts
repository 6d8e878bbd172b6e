import type { KindName } from '../../fleet/kinds.ts'
import { isObject, list, listAt, type RawObject, text, textAt, valueAt } from '../../raw.ts'
import { certifiedNames } from './certificate.ts'
import type { Lexicon } from './lexicon.ts'
import { learnHost, learnImage, learnPlaces } from './places.ts'
import { isStandardHost, isStandardName } from './standard.ts'

/** Kinds that a user names. */
const NAMED: ReadonlySet<KindName> = new Set([
  'ManagedClusterSet',
  'ManagedClusterSetBinding',
  'Placement',
  'GitOpsCluster',
  'ApplicationSet',
  'Application',
  'AppProject',
  'Policy',
  'PlacementBinding',
  'ManagedServiceAccount',
  'ClusterPermission',
])

/** Kinds that a user names in namespaces of his own; elsewhere they are a vendor's. */
const NAMED_IN_OWN: ReadonlySet<KindName> = new Set([
  'ConfigMap',
  'Secret',
  'Service',
  'ServiceAccount',
  'Role',
  'RoleBinding',
  'Deployment',
  'StatefulSet',
  'Route',
])

/** Labels and claims of clusters whose values are the vendor's. */
const PUBLIC_LABEL =
  /^(vendor|cloud|openshiftVersion.*|product|version|kubeversion|platform|controlplanetopology|local-cluster|(feature|addon)\.open-cluster-management\.io\/.*|(product|version|kubeversion|platform|controlplanetopology|architecture)\.open-cluster-management\.io)$/i

/** Parts of a specification in which nothing is a user's name. */
const PUBLIC_FIELDS = new Set([
  'syncPolicy',
  'ignoreDifferences',
  'goTemplateOptions',
  'apiVersion',
  'kind',
  'group',
  'operator',
  'signatureKeys',
  'clusterResourceWhitelist',
  'namespaceResourceWhitelist',
  'clusterResourceBlacklist',
  'namespaceResourceBlacklist',
  'orphanedResources',
  'applicationsSync',
  'configMapRef',
  'finalizers',
  'description',
])

const PEOPLE = new Set(['username', 'user', 'author'])
const HOSTS = new Set(['host', 'hostname', 'nodeName'])

/** Takes from an object what tells whose it is. */
export function learnObject(lexicon: Lexicon, kind: KindName, object: RawObject): void {
  const [name, namespace] = [textAt(object, 'metadata', 'name'), textAt(object, 'metadata', 'namespace')]
  lexicon.addName(namespace, 'namespace')
  if (NAMED_IN_OWN.has(kind) && !isStandardName(namespace)) lexicon.add(name, 'application')
  if (NAMED.has(kind)) lexicon.add(name, 'application')
  if (NAMED.has(kind) || kind === 'Namespace') learnOwnLabels(lexicon, object)
  switch (kind) {
    case 'ManagedCluster':
      lexicon.addName(name, 'cluster')
      learnCluster(lexicon, object)
      break
    case 'ManagedClusterSetBinding':
      lexicon.add(textAt(object, 'spec', 'clusterSet'), 'application')
      break
    case 'Placement':
      for (const set of listAt(object, 'spec', 'clusterSets')) lexicon.add(text(set), 'application')
      learnSelectors(lexicon, valueAt(object, 'spec', 'predicates'))
      break
    case 'GitOpsCluster':
      lexicon.add(textAt(object, 'spec', 'placementRef', 'name'), 'application')
      lexicon.add(textAt(object, 'spec', 'argoServer', 'argoNamespace'), 'namespace')
      break
    case 'Namespace':
      lexicon.addName(name, 'namespace')
      break
    case 'PlacementDecision':
      for (const decision of listAt(object, 'status', 'decisions'))
        lexicon.addName(textAt(decision, 'clusterName'), 'cluster')
      break
    case 'Secret':
      learnSecret(lexicon, object)
      break
    case 'Application':
    case 'ApplicationSet':
    case 'AppProject':
      learnSpec(lexicon, object.spec)
      // What it deploys is named in its repository.
      for (const resource of listAt(object, 'status', 'resources')) {
        lexicon.add(textAt(resource, 'name'), 'application')
        lexicon.addName(textAt(resource, 'namespace'), 'namespace')
      }
      break
    case 'RoleBinding':
    case 'ClusterRoleBinding':
      for (const subject of list(object.subjects)) {
        const who = textAt(subject, 'kind')
        if (who === 'User' || who === 'Group') learnPerson(lexicon, textAt(subject, 'name'))
        lexicon.addName(textAt(subject, 'namespace'), 'namespace')
      }
      break
    case 'CertificateSigningRequest':
      learnPerson(lexicon, textAt(object, 'spec', 'username'))
      break
    default:
  }
  learnAnywhere(lexicon, object, '')
}

function learnCluster(lexicon: Lexicon, object: RawObject): void {
  const labels = valueAt(object, 'metadata', 'labels')
  const claims = listAt(object, 'status', 'clusterClaims').map(c => [textAt(c, 'name'), textAt(c, 'value')])
  const pairs = [...(isObject(labels) ? Object.entries(labels) : []), ...claims]
  for (const [key = '', value] of pairs) {
    if (PUBLIC_LABEL.test(String(key))) continue
    const isId = /(^|\.)(id|clusterid)(\.|$)/i.test(String(key))
    if (isId) lexicon.addName(text(value), 'word')
    else if (!text(value).includes('://')) lexicon.add(text(value), 'word')
  }
}

/** Labels and annotations that no controller made up. */
function learnOwnLabels(lexicon: Lexicon, { metadata }: RawObject): void {
  for (const map of [valueAt(metadata, 'labels'), valueAt(metadata, 'annotations')]) {
    if (!isObject(map)) continue
    for (const [key, value] of Object.entries(map)) {
      const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : ''
      if (domain !== '' && isStandardHost(domain)) continue
      learnHost(lexicon, domain)
      if (!PUBLIC_LABEL.test(key) && !text(value).includes('://')) lexicon.add(text(value), 'word')
    }
  }
}

/** Values that a Placement asks for: the clusters need not have them. */
function learnSelectors(lexicon: Lexicon, value: unknown): void {
  if (Array.isArray(value)) for (const item of value) learnSelectors(lexicon, item)
  if (!isObject(value)) return
  const isOpen = !PUBLIC_LABEL.test(text(value.key))
  for (const [key, part] of Object.entries(value)) {
    if (key === 'values' && isOpen) for (const item of list(part)) lexicon.add(text(item), 'word')
    else if (key === 'matchLabels' && isObject(part)) {
      for (const [label, item] of Object.entries(part)) if (!PUBLIC_LABEL.test(label)) lexicon.add(text(item), 'word')
    } else if (key === 'celExpressions') {
      for (const expression of list(part))
        for (const [, quoted = ''] of text(expression).matchAll(/(?<!\[)["']([^"'/]+)["']/g))
          lexicon.add(quoted, 'word')
    } else learnSelectors(lexicon, part)
  }
}

/** Name and server of an Argo CD cluster secret, which lie in base64. */
function learnSecret(lexicon: Lexicon, { data }: RawObject): void {
  if (!isObject(data)) return
  const [name = '', server = '', pem = ''] = ['name', 'server', 'tls.crt'].map(key =>
    Buffer.from(text(data[key]), 'base64').toString('utf8'),
  )
  lexicon.addName(name, 'cluster')
  learnPlaces(lexicon, server)
  for (const certified of certifiedNames(pem)) learnHost(lexicon, certified)
}

/** Everybody who is no part of the system. */
function learnPerson(lexicon: Lexicon, name: string): void {
  if (!name.startsWith('system:')) lexicon.add(name, 'user')
}

/** All that a user wrote into a specification: repositories, paths, names, values. */
function learnSpec(lexicon: Lexicon, value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('://') || value.includes('@')) learnPlaces(lexicon, value)
    else lexicon.add(value.replaceAll(/\{\{.*?\}\}/gs, ' '), 'word')
  } else if (Array.isArray(value)) {
    for (const item of value) learnSpec(lexicon, item)
  } else if (isObject(value)) {
    for (const [key, part] of Object.entries(value)) if (!PUBLIC_FIELDS.has(key)) learnSpec(lexicon, part)
  }
}

/** Places and people, wherever they stand. */
function learnAnywhere(lexicon: Lexicon, value: unknown, key: string): void {
  if (typeof value === 'string') {
    learnPlaces(lexicon, value)
    if (PEOPLE.has(key)) learnPerson(lexicon, value)
    else if (HOSTS.has(key) && !value.includes('/')) learnHost(lexicon, value)
    else if (key === 'image') learnImage(lexicon, value)
    else if (key === 'caBundle') for (const name of certifiedNames(decoded(value))) learnHost(lexicon, name)
    else if (key === 'open-cluster-management/user-identity') learnPerson(lexicon, decoded(value))
  } else if (Array.isArray(value)) {
    for (const item of value) learnAnywhere(lexicon, item, key)
  } else if (isObject(value)) {
    for (const [name, part] of Object.entries(value)) learnAnywhere(lexicon, part, name)
  }
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8')
