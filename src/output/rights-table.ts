import { resourceName } from '../fleet/kinds.ts'
import type { Right, Where } from '../rbac/rights.ts'
import type { RenderOptions } from './options.ts'
import { table } from './table.ts'

/** What is read, where, and of which names. */
export function renderRights(rights: readonly Right[], { headers }: RenderOptions): string {
  const rows = rights
    .map(r => [resourceText(r), r.verb, whereText(r.where), r.names.join(',') || '<any>'])
    .sort((a, b) => (a.join('\u0000') < b.join('\u0000') ? -1 : 1))
  return table([...(headers ? [['RESOURCE', 'VERB', 'WHERE', 'NAME']] : []), ...rows])
    .map(line => `${line}\n`)
    .join('')
}

function resourceText({ kind, subresource }: Right): string {
  const name = resourceName(kind)
  return subresource === undefined ? name : name.replace(/^[^.]+/, plural => `${plural}/${subresource}`)
}

function whereText(where: Where): string {
  switch (where.scope) {
    case 'cluster':
      return '<all>'
    case 'roles':
      return [...new Set(where.roles)].join(',')
    case 'agent-mode':
      return 'argo'
    case 'namespace':
      return where.namespace
  }
}
