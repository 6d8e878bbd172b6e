import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { field, list, path, text } from '../../src/kube/wire.ts'
import type { ApiServer, ApiServers } from './apiserver.ts'
import { until } from './until.ts'

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews'

/**
 * Applies the roles and bindings that `rbac --to user:NAME -o json` prints, and waits until the API server goes by all of
 * them: it takes notice of each a little later.
 *
 * @param printed the `List` that was printed
 */
export async function grant(servers: ApiServers, cluster: string, printed: string): Promise<void> {
  const file = join(servers.folder, `roles-${cluster}.json`)
  writeFileSync(file, printed)
  await servers.kubectl(['--context', cluster, 'apply', '-f', file])
  const items = list(field(JSON.parse(printed), 'items'))
  const server = servers.server(cluster)
  for (const binding of items.filter(item => field(item, 'roleRef') !== undefined)) {
    const [kind, name] = ['kind', 'name'].map(key => text(path(binding, 'roleRef', key)))
    const namespace = text(path(binding, 'metadata', 'namespace'))
    const role = items.find(
      item =>
        field(item, 'kind') === kind &&
        path(item, 'metadata', 'name') === name &&
        (kind === 'ClusterRole' || path(item, 'metadata', 'namespace') === namespace),
    )
    for (const user of list(field(binding, 'subjects')).map(subject => text(field(subject, 'name')))) {
      for (const rule of list(field(role, 'rules'))) {
        for (const resourceAttributes of attributesOf(rule, namespace)) {
          await until(
            () => isAllowed(server, user, resourceAttributes),
            `the right ${JSON.stringify(resourceAttributes)}`,
          )
        }
      }
    }
  }
}

/** What an access review asks for each right of a rule. */
function attributesOf(rule: unknown, namespace: string): readonly object[] {
  const [groups, resources, verbs] = ['apiGroups', 'resources', 'verbs'].map(key => list(field(rule, key)).map(text))
  const [name] = list(field(rule, 'resourceNames')).map(text)
  return (groups ?? []).flatMap(group =>
    (resources ?? []).flatMap(whole => {
      const [resource, subresource] = whole.split('/')
      return (verbs ?? []).map(verb => ({ group, resource, subresource, verb, namespace, name }))
    }),
  )
}

async function isAllowed(server: ApiServer, user: string, resourceAttributes: object): Promise<boolean> {
  const answer = await server.request('POST', REVIEWS, { spec: { user, resourceAttributes } })
  return path(answer, 'status', 'allowed') === true
}
