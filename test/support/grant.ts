import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listAt, text, textAt, valueAt } from '../../src/raw.ts'
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
  const items = listAt(JSON.parse(printed), 'items')
  const server = servers.server(cluster)
  for (const binding of items.filter(item => valueAt(item, 'roleRef') !== undefined)) {
    const [kind, name] = ['kind', 'name'].map(key => textAt(binding, 'roleRef', key))
    const namespace = textAt(binding, 'metadata', 'namespace')
    const role = items.find(
      item =>
        valueAt(item, 'kind') === kind &&
        valueAt(item, 'metadata', 'name') === name &&
        (kind === 'ClusterRole' || valueAt(item, 'metadata', 'namespace') === namespace),
    )
    for (const user of listAt(binding, 'subjects').map(subject => textAt(subject, 'name'))) {
      for (const rule of listAt(role, 'rules')) {
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
  const [groups, resources, verbs] = ['apiGroups', 'resources', 'verbs'].map(key => listAt(rule, key).map(text))
  const [name] = listAt(rule, 'resourceNames').map(text)
  return (groups ?? []).flatMap(group =>
    (resources ?? []).flatMap(whole => {
      const [resource, subresource] = whole.split('/')
      return (verbs ?? []).map(verb => ({ group, resource, subresource, verb, namespace, name }))
    }),
  )
}

async function isAllowed(server: ApiServer, user: string, resourceAttributes: object): Promise<boolean> {
  const answer = await server.request('POST', REVIEWS, { spec: { user, resourceAttributes } })
  return valueAt(answer, 'status', 'allowed') === true
}
