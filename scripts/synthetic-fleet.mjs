// Writes a fleet of any size as a snapshot in JSON lists, its objects multiplied from those of a recorded fleet:
//
//   node scripts/synthetic-fleet.mjs CLUSTERS APPLICATIONS OUT [--broken N] [--kinds LIST] [--sets N]
//
// One half of the workloads is pushed, the other pulled; each cluster has an Application of every workload, so APPLICATIONS is
// a multiple of CLUSTERS. The hub alone is recorded. The fleet is healthy but for --broken N: then N faults are made, of the
// kinds in turn, with the traces that real controllers leave of them. Each is printed as one line of JSON, with the object that
// a doctor ought to name as its root.
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { parse } from 'yaml'

const RECORDED = join(dirname(fileURLToPath(import.meta.url)), '..', 'test', 'fleets', 'mixed-healthy.tgz')
/** Names in the recorded fleet that stand for what is multiplied. */
const [CLUSTER, OTHER, SET] = ['bm', 'sno', 'production']
const KINDS = ['binding', 'label', 'account', 'unavailable', 'work']
/** Clusters that one PlacementDecision holds at the most (open-cluster-management-io/ocm maxNumOfClusterDecisions). */
const PER_DECISION = 100
const ALL = 'all-clusters'

/** What a workload of some size deploys, instead of the one ConfigMap that was recorded. */
const DEPLOYED = [
  ['', 'v1', 'ServiceAccount'],
  ['', 'v1', 'ConfigMap'],
  ['', 'v1', 'Service', 'Healthy'],
  ['apps', 'v1', 'Deployment', 'Healthy'],
  ['rbac.authorization.k8s.io', 'v1', 'Role'],
  ['rbac.authorization.k8s.io', 'v1', 'RoleBinding'],
]

const fleet = options()
const recorded = await readRecording()
const namespace = first('gitopsclusters').metadata.namespace
const recordedAt = Date.parse(recorded.index.recordedAt)
let version = 10_000
const broken = breakSome()
write()
for (const { kind, root } of broken) console.log(JSON.stringify({ kind, root }))

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      broken: { type: 'string', default: '0' },
      kinds: { type: 'string', default: KINDS.join(',') },
      sets: { type: 'string' },
    },
  })
  const [clusters, applications] = positionals.slice(0, 2).map(Number)
  const out = positionals[2]
  const perCluster = applications / clusters
  const kinds = values.kinds.split(',')
  if (out === undefined || !(clusters > 0) || !(perCluster >= 1) || !Number.isInteger(perCluster)) {
    fail(
      'usage: synthetic-fleet.mjs CLUSTERS APPLICATIONS OUT [--broken N] [--kinds LIST] [--sets N]; APPLICATIONS is a multiple of CLUSTERS',
    )
  }
  for (const kind of kinds) if (!KINDS.includes(kind)) fail(`no kind "${kind}": ${KINDS.join(', ')}`)
  const sets = Number(values.sets ?? Math.min(clusters, Math.max(4, Math.ceil(clusters / 500))))
  const digits = Math.max(3, String(clusters).length)
  const number = i => String(i + 1).padStart(digits, '0')
  return {
    out,
    kinds,
    wanted: Number(values.broken),
    sets: Array.from({ length: sets }, (_, i) => ({ name: `set-${number(i)}`, bound: true, clusters: [] })),
    clusters: Array.from({ length: clusters }, (_, i) => ({ name: `cluster-${number(i)}`, labelled: true })),
    workloads: Array.from({ length: perCluster }, (_, i) => ({ name: `workload-${number(i)}`, pull: i % 2 === 1 })),
  }
}

function fail(message) {
  console.error(`error: ${message}`)
  process.exit(2)
}

/** The hub of the recorded fleet: its index, and the items of each list by resource. */
async function readRecording() {
  const files = new Map()
  const tar = extract()
  tar.end(gunzipSync(readFileSync(RECORDED)))
  for await (const entry of tar) {
    const name = /(?:^|\/)hub\/([^/]+)\.yaml$/.exec(entry.header.name)?.[1]
    const parts = []
    for await (const part of entry) parts.push(part)
    if (name !== undefined) files.set(name, parse(Buffer.concat(parts).toString('utf8')))
  }
  const index = files.get('index')
  const items = new Map()
  for (const { resource, file } of index.resources) {
    items.set(resource, file === undefined ? [] : files.get(file.replace(/\.yaml$/, '')).items)
  }
  return { index, items }
}

function first(resource, where = () => true) {
  const found = recorded.items.get(resource).find(where)
  if (found === undefined) throw new Error(`the recorded fleet has no such ${resource}`)
  return structuredClone(found)
}

function mentions(object, name) {
  return new RegExp(`\\b${name}\\b`).test(JSON.stringify(object))
}

/**
 * An object as a form: what stands for a cluster, a set or a workload in it, and its identity, is filled in for each copy.
 *
 * @param names what to replace, by the name of the value that takes its place.
 */
function form(object, names = { [CLUSTER]: 'cluster', [SET]: 'set' }) {
  const copy = structuredClone(object)
  copy.metadata.uid = '@uid@'
  copy.metadata.resourceVersion = '@version@'
  const words = Object.keys(names).sort((a, b) => b.length - a.length)
  const parts = JSON.stringify(copy).split(new RegExp(`(@\\w+@|\\b(?:${words.join('|')})\\b)`))
  const keys = parts.map((part, i) => (i % 2 === 0 ? undefined : (names[part] ?? part.slice(1, -1))))
  return values => {
    let text = ''
    for (let i = 0; i < parts.length; i++) {
      const key = keys[i]
      if (key === undefined) text += parts[i]
      else if (key === 'version') text += String(++version)
      else text += values[key] ?? parts[i]
    }
    return text
  }
}

function uid(...path) {
  const hex = createHash('md5').update(path.join('/')).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

function base64(text) {
  return Buffer.from(text).toString('base64')
}

function ago(minutes) {
  return new Date(recordedAt - minutes * 60_000).toISOString().replace('.000Z', 'Z')
}

/** Spreads the clusters over the sets and makes the faults, each on a cluster or set of its own. */
function breakSome() {
  const { sets, clusters, kinds, wanted, workloads } = fleet
  const size = Math.ceil(clusters.length / sets.length)
  clusters.forEach((cluster, i) => {
    cluster.set = sets[Math.floor(i / size)]
    cluster.set.clusters.push(cluster)
  })
  // Half of the sets at the most lose their binding; the other faults lie in the rest.
  const unbindable = kinds.length === 1 ? sets.length : Math.floor(sets.length / 2)
  const lost = kinds.includes('binding') ? Math.min(Math.ceil(wanted / kinds.length), unbindable) : 0
  const whole = clusters.filter(c => sets.indexOf(c.set) < sets.length - lost)
  const step = Math.max(1, Math.floor(whole.length / Math.max(1, wanted)))
  const faults = []
  let unbound = 0
  for (let i = 0, at = Math.floor(step / 2); i < wanted * kinds.length && faults.length < wanted; i++) {
    const kind = kinds[i % kinds.length]
    if (kind === 'binding') {
      if (unbound >= lost) continue
      const set = sets[sets.length - ++unbound]
      set.bound = false
      faults.push({ kind, root: root('ManagedClusterSetBinding', namespace, set.name) })
      continue
    }
    const cluster = whole[at]
    if (cluster === undefined) break
    at += step
    if (kind === 'label') {
      cluster.labelled = false
      faults.push({ kind, root: root('ManagedCluster', '', cluster.name) })
    } else if (kind === 'account') {
      cluster.accountless = true
      faults.push({ kind, root: root('ManagedServiceAccount', cluster.name, 'application-manager') })
    } else if (kind === 'unavailable') {
      cluster.unavailable = true
      faults.push({ kind, root: root('ManagedCluster', '', cluster.name) })
    } else {
      cluster.outdated = workloads.find(w => w.pull)
      if (cluster.outdated === undefined) fail('an outdated work needs a pulled workload: two Applications per cluster')
      faults.push({ kind, root: root('ManifestWork', cluster.name, workName(cluster.outdated, cluster)) })
    }
  }
  if (faults.length < wanted) fail(`the fleet is too small for ${wanted} faults`)
  return faults
}

function root(kind, at, name) {
  return { cluster: 'hub', kind, namespace: at, name }
}

function decided({ labelled, set }) {
  return labelled && set.bound
}

function workName(workload, cluster) {
  const name = `${workload.name}-${cluster.name}`
  return `${name}-${uid('Application', name).slice(0, 5)}`
}

function write() {
  const folder = join(fleet.out, 'hub')
  mkdirSync(folder, { recursive: true })
  const special = {
    managedclusters,
    managedclustersets: clusterSets,
    managedclustersetbindings: bindings,
    placements,
    placementdecisions: decisions,
    gitopsclusters: gitOpsClusters,
    managedserviceaccounts: accounts,
    managedclusteraddons: addOns,
    leases,
    secrets,
    applicationsets: applicationSets,
    applications,
    manifestworks: works,
    multiclusterapplicationsetreports: reports,
    // An hour after the clusters joined they are gone (kube-controller-manager csrcleaner).
    certificatesigningrequests: () => unnamed('certificatesigningrequests'),
  }
  const resources = recorded.index.resources.map(({ file, count: _, ...entry }) => {
    const { resource, apiVersion } = entry
    const name = `${resource}${apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : ''}.json`
    const make = special[resource] ?? (() => perCluster(resource))
    const count = file === undefined ? 0 : writeList(join(folder, name), make())
    return { ...entry, count, ...(count === 0 ? {} : { file: name }) }
  })
  writeFileSync(join(folder, 'index.json'), `${JSON.stringify({ ...recorded.index, resources }, null, 2)}\n`)
}

function writeList(path, texts) {
  const file = openSync(path, 'w')
  let count = 0
  let chunk = '{"apiVersion":"v1","kind":"List","items":['
  for (const text of texts) {
    chunk += `${count++ === 0 ? '' : ','}\n${text}`
    if (chunk.length < 1 << 20) continue
    writeSync(file, chunk)
    chunk = ''
  }
  writeSync(file, `${chunk}\n]}\n`)
  closeSync(file)
  return count
}

/** Objects that belong to no managed cluster but the hub itself, as they were recorded. */
function* unnamed(resource) {
  for (const item of recorded.items.get(resource)) {
    if (!mentions(item, CLUSTER) && !mentions(item, OTHER)) yield JSON.stringify(item)
  }
}

/** A copy for every cluster of what the recorded cluster has, after what the hub has. */
function* perCluster(resource, wanted = () => true, change = object => object) {
  yield* unnamed(resource)
  const own = recorded.items.get(resource).filter(item => mentions(item, CLUSTER) && !mentions(item, OTHER))
  for (const item of own) {
    const fill = form(change(structuredClone(item)))
    for (const cluster of fleet.clusters) {
      if (wanted(cluster, item)) yield fill(valuesOf(cluster, resource, item.metadata.name))
    }
  }
}

function valuesOf(cluster, resource, name) {
  return { cluster: cluster.name, set: cluster.set.name, uid: uid(resource, name, cluster.name) }
}

function* managedclusters() {
  yield* unnamed('managedclusters')
  const healthy = first('managedclusters', c => c.metadata.name === CLUSTER)
  const lost = structuredClone(healthy)
  delete lost.metadata.labels['cluster.open-cluster-management.io/clusterset']
  const away = structuredClone(healthy)
  for (const label of Object.keys(away.metadata.labels)) {
    if (label.startsWith('feature.open-cluster-management.io/')) away.metadata.labels[label] = 'unreachable'
  }
  away.spec.taints = [{ effect: 'NoSelect', key: 'cluster.open-cluster-management.io/unreachable', timeAdded: ago(20) }]
  stopped(away.status.conditions, 'ManagedClusterConditionAvailable')
  const fill = { healthy: form(healthy), lost: form(lost), away: form(away) }
  for (const cluster of fleet.clusters) {
    const which = cluster.unavailable ? 'away' : cluster.labelled ? 'healthy' : 'lost'
    yield fill[which](valuesOf(cluster, 'managedclusters', ''))
  }
}

/** What the hub writes when the lease of a cluster is not renewed any more (recorded: pull-cluster-unknown-report-healthy). */
function stopped(conditions, type) {
  Object.assign(
    conditions.find(c => c.type === type),
    {
      lastTransitionTime: ago(20),
      message: 'Registration agent stopped updating its lease.',
      reason: 'ManagedClusterLeaseUpdateStopped',
      status: 'Unknown',
    },
  )
}

function* addOns() {
  yield* perCluster('managedclusteraddons', c => !c.unavailable)
  const away = fleet.clusters.filter(c => c.unavailable)
  for (const item of recorded.items.get('managedclusteraddons').filter(a => a.metadata.namespace === CLUSTER)) {
    const copy = structuredClone(item)
    stopped(copy.status.conditions, 'Available')
    const fill = form(copy)
    for (const cluster of away) yield fill(valuesOf(cluster, 'managedclusteraddons', item.metadata.name))
  }
}

function* leases() {
  yield* perCluster('leases', c => !c.unavailable)
  const lease = first('leases', l => l.metadata.namespace === CLUSTER)
  lease.spec.renewTime = ago(25)
  const fill = form(lease)
  for (const cluster of fleet.clusters) if (cluster.unavailable) yield fill(valuesOf(cluster, 'leases', ''))
}

function accounts() {
  return perCluster('managedserviceaccounts', c => !c.accountless)
}

function* secrets() {
  yield* unnamed('secrets')
  const token = form(first('secrets', s => s.metadata.namespace === CLUSTER))
  const secret = first('secrets', s => s.metadata.name.startsWith(`${CLUSTER}-`))
  const server = Buffer.from(secret.data.server, 'base64')
    .toString()
    .replace(new RegExp(`/${CLUSTER}$`), '')
  Object.assign(secret.data, { name: '@name@', server: '@server@' })
  const fill = form(secret)
  for (const cluster of fleet.clusters) {
    // The token went with its account; what was written with it stays.
    if (!cluster.accountless) yield token(valuesOf(cluster, 'secrets', 'token'))
    yield fill({
      ...valuesOf(cluster, 'secrets', 'cluster'),
      name: base64(cluster.name),
      server: base64(`${server}/${cluster.name}`),
    })
  }
}

function setMembers(set) {
  return set.clusters.filter(c => c.labelled)
}

function* clusterSets() {
  for (const item of recorded.items.get('managedclustersets').filter(s => s.metadata.name !== SET)) {
    yield JSON.stringify(item).replace('3 ManagedClusters', `${fleet.clusters.length + 1} ManagedClusters`)
  }
  const object = first('managedclustersets', s => s.metadata.name === SET)
  object.status.conditions[0].message = '@count@ ManagedClusters selected'
  const fill = form(object)
  for (const set of fleet.sets) {
    yield fill({ set: set.name, uid: uid('set', set.name), count: String(setMembers(set).length) })
  }
}

function* bindings() {
  const fill = form(first('managedclustersetbindings'))
  for (const set of fleet.sets) if (set.bound) yield fill({ set: set.name, uid: uid('binding', set.name) })
}

/** Every Placement with the clusters that it selects: one for all, which the GitOpsCluster uses, and one per set. */
function* selections() {
  yield { name: ALL, sets: fleet.sets, clusters: fleet.clusters.filter(decided) }
  for (const set of fleet.sets) yield { name: `in-${set.name}`, sets: [set], clusters: set.clusters.filter(decided) }
}

/** The names of its PlacementDecisions; an empty one is kept. */
function decisionNames({ name, clusters }) {
  const length = Math.max(1, Math.ceil(clusters.length / PER_DECISION))
  return Array.from({ length }, (_, i) => `${name}-decision-${i + 1}`)
}

function* placements() {
  const object = first('placements')
  for (const selection of selections()) {
    const { name, sets, clusters } = selection
    const copy = structuredClone(object)
    Object.assign(copy.metadata, { name, uid: uid('placement', name), resourceVersion: String(++version) })
    copy.spec.clusterSets = sets.map(s => s.name)
    const [group] = copy.status.decisionGroups
    Object.assign(group, { clusterCount: clusters.length, decisions: decisionNames(selection) })
    copy.status.numberOfSelectedClusters = clusters.length
    if (sets.every(s => !s.bound)) {
      // As recorded in push-binding-no-intersection and push-binding-deleted.
      const any = fleet.sets.some(s => s.bound)
      Object.assign(
        copy.status.conditions.find(c => c.type === 'PlacementSatisfied'),
        {
          lastTransitionTime: ago(15),
          status: 'False',
          reason: any ? 'NoIntersection' : 'NoManagedClusterSetBindings',
          message: any
            ? `None of ManagedClusterSets [${copy.spec.clusterSets.join(' ')}] is bound to placement namespace`
            : 'No valid ManagedClusterSetBindings found in placement namespace',
        },
      )
    }
    yield JSON.stringify(copy)
  }
}

function* decisions() {
  const object = first('placementdecisions')
  for (const selection of selections()) {
    for (const [i, name] of decisionNames(selection).entries()) {
      const copy = structuredClone(object)
      Object.assign(copy.metadata, { name, uid: uid('decision', name), resourceVersion: String(++version) })
      copy.metadata.labels['cluster.open-cluster-management.io/placement'] = selection.name
      Object.assign(copy.metadata.ownerReferences[0], { name: selection.name, uid: uid('placement', selection.name) })
      copy.status.decisions = selection.clusters
        .slice(i * PER_DECISION, (i + 1) * PER_DECISION)
        .map(c => ({ clusterName: c.name, reason: '' }))
      yield JSON.stringify(copy)
    }
  }
}

function* gitOpsClusters() {
  const copy = first('gitopsclusters')
  copy.spec.placementRef.name = ALL
  const served = fleet.clusters.filter(decided)
  const { status } = copy
  const text = c => c.message.replace(/\b2 managed clusters/, `${served.length} managed clusters`)
  for (const c of status.conditions) c.message = text(c)
  status.message = `Added managed clusters [${served.map(c => c.name).join(' ')}] to gitops namespace ${namespace}`
  const accountless = served.filter(c => c.accountless)
  if (accountless.length > 0) {
    // As recorded in msa-deleted; the controller goes on with the other clusters.
    const reasons = accountless.map(
      ({ name }) =>
        `all options exhausted for managed cluster ${name}: legacy secret not found for managed cluster ${name}: secrets "${name}-application-manager-cluster-secret" not found`,
    )
    const message = `Failed to register managed clusters with ArgoCD. Please verify the managed cluster credentials and network connectivity: ${reasons.join('; ')}`
    const failed = { lastTransitionTime: ago(10), reason: 'ClusterRegistrationFailed', status: 'False' }
    Object.assign(status, { message, phase: 'failed' })
    Object.assign(
      status.conditions.find(c => c.type === 'ClustersRegistered'),
      { ...failed, message },
    )
    Object.assign(
      status.conditions.find(c => c.type === 'Ready'),
      {
        ...failed,
        message: 'One or more components have failed: ClustersRegistered',
      },
    )
  }
  yield JSON.stringify(copy)
}

/** The ApplicationSets: one for each workload and set. */
function* applicationSetNames() {
  for (const workload of fleet.workloads) {
    for (const set of fleet.sets) yield { name: `${workload.name}-${set.name}`, workload, set }
  }
}

/** The names that a recorded workload has in its objects. */
function workloadNames(pull) {
  return pull
    ? { branding: 'workload' }
    : { 'setup-compliance-operator': 'workload', 'compliance-operator': 'workload' }
}

function isPull(object) {
  return JSON.stringify(object).includes('ocm-managed-cluster')
}

function* applicationSets() {
  for (const pull of [false, true]) {
    const object = first('applicationsets', s => isPull(s) === pull)
    const [generator] = object.spec.generators
    generator.clusterDecisionResource.labelSelector.matchLabels['cluster.open-cluster-management.io/placement'] =
      '@placement@'
    object.metadata.name = '@name@'
    const entry = { ...object.status.resources[0], name: '@resource@', health: { status: 'Healthy' } }
    object.status.resources = ['@resources@']
    object.status.resourcesCount = '@count@'
    const fill = form(object, workloadNames(pull))
    const [before, after] = JSON.stringify(entry).split('@resource@')
    for (const { name, workload, set } of applicationSetNames()) {
      if (workload.pull !== pull) continue
      const clusters = set.clusters.filter(decided)
      const text = fill({
        name,
        workload: workload.name,
        uid: uid('ApplicationSet', name),
        placement: `in-${set.name}`,
        count: String(clusters.length),
      })
      const resources = clusters.map(c => `${before}${workload.name}-${c.name}${after}`).join(',')
      yield text.replace('"@resources@"', resources).replace(/"resourcesCount":"(\d+)"/, '"resourcesCount":$1')
    }
  }
}

function enlarge({ status }) {
  const { operationState } = status
  const [recordedResult] = operationState.syncResult.resources
  const name = recordedResult.name
  status.resources = DEPLOYED.map(([group, apiVersion, kind, health]) => ({
    ...(group === '' ? {} : { group }),
    ...(health === undefined ? {} : { health: { status: health } }),
    kind,
    name,
    namespace: name,
    status: 'Synced',
    version: apiVersion,
  }))
  operationState.syncResult.resources = DEPLOYED.map(([group, apiVersion, kind]) => ({
    ...recordedResult,
    group,
    kind,
    message: `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name} unchanged`,
    namespace: name,
    version: apiVersion,
  }))
  const [deployed] = status.history
  status.history = [0, 1, 2].map(id => ({ ...deployed, id }))
}

function* applications() {
  for (const pull of [false, true]) {
    // Of the two recorded ones of pull, one was still Progressing in its copied status.
    const object = first('applications', a => isPull(a) === pull && a.status.health.status === 'Healthy')
    const from = mentions(object, CLUSTER) ? CLUSTER : OTHER
    if (!pull) enlarge(object)
    Object.assign(object.metadata.ownerReferences[0], { name: '@owner@', uid: '@owneruid@' })
    if (pull)
      object.status.conditions[0].message = object.status.conditions[0].message.replace('branding-pull', '@owner@')
    const fill = form(object, { [from]: 'cluster', ...workloadNames(pull) })
    for (const { name: owner, workload, set } of applicationSetNames()) {
      if (workload.pull !== pull) continue
      const owneruid = uid('ApplicationSet', owner)
      for (const cluster of set.clusters) {
        if (!decided(cluster)) continue
        const id = uid('Application', `${workload.name}-${cluster.name}`)
        yield fill({ cluster: cluster.name, workload: workload.name, uid: id, owner, owneruid })
      }
    }
  }
}

function* works() {
  yield* unnamed('manifestworks')
  const object = first('manifestworks', w => w.metadata.namespace === OTHER)
  object.metadata.name = '@name@'
  object.metadata.annotations['apps.open-cluster-management.io/hosting-applicationset'] = `${namespace}/@owner@`
  const payload = object.spec.workload.manifests.find(m => m.kind === 'Application')
  payload.metadata.annotations['apps.open-cluster-management.io/hosting-applicationset'] = `${namespace}/@owner@`
  const names = { [OTHER]: 'cluster', ...workloadNames(true) }
  const fill = form(object, names)
  payload.spec.source.path += '-of-before'
  const outdated = form(object, names)
  for (const { name: owner, workload, set } of applicationSetNames()) {
    if (!workload.pull) continue
    for (const cluster of set.clusters) {
      if (!decided(cluster)) continue
      const name = workName(workload, cluster)
      const values = { cluster: cluster.name, workload: workload.name, uid: uid('ManifestWork', name), name, owner }
      yield cluster.outdated === workload ? outdated(values) : fill(values)
    }
  }
}

function* reports() {
  const object = first('multiclusterapplicationsetreports')
  const entry = object.statuses.clusterConditions[0]
  for (const { name, workload, set } of applicationSetNames()) {
    if (!workload.pull) continue
    // A report whose ApplicationSet has no Application any more keeps its last entries (recorded: push-binding-deleted).
    const clusters = set.bound ? set.clusters.filter(decided) : setMembers(set)
    const copy = structuredClone(object)
    Object.assign(copy.metadata, { name, uid: uid('report', name), resourceVersion: String(++version) })
    copy.metadata.labels['apps.open-cluster-management.io/hosting-applicationset'] = `${namespace}.${name}`
    copy.statuses.clusterConditions = clusters.map(c => ({
      ...entry,
      app: `${namespace}/${workload.name}-${c.name}/${c.name}/${workName(workload, c)}`,
      cluster: c.name,
      operationStateStartedAt: startedAt(),
    }))
    const count = String(clusters.length)
    copy.statuses.summary = {
      clusters: count,
      healthy: count,
      inProgress: '0',
      notHealthy: '0',
      notSynced: '0',
      synced: count,
    }
    yield JSON.stringify(copy)
  }
}

/** When the recorded work's Application was last synced. */
function startedAt() {
  return first('applications', a => isPull(a) && a.status.health.status === 'Healthy').status.operationState.startedAt
}
