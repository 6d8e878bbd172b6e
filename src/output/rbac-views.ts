import { type AccessReport, resourceOf } from '../rbac/access-report.ts'
import type { RbacObject } from '../rbac/roles.ts'
import type { RolesAbout } from './roles-text.ts'
import type { View } from './view.ts'

/** Roles as kubectl takes them: a List of Kubernetes' own, so that every format can be applied. */
export interface RbacList {
  readonly apiVersion: 'v1'
  readonly kind: 'List'
  readonly items: readonly RbacObject[]
}

/** @param about comments of the text form, which the document itself has no room for */
export function rolesView(about: () => RolesAbout): View<RbacList> {
  return {
    what: 'rbac',
    forms: {
      text: async () => {
        const { renderRoles } = await import('./roles-text.ts')
        return (_, options) => renderRoles(about(), options)
      },
      table: async () => {
        const { renderRights } = await import('./rights-table.ts')
        return (_, options) => renderRights(about().rights, options)
      },
    },
    rows: list => list.items,
    rowKind: 'Role',
    names: list =>
      list.items.map(({ kind, metadata }) => ({ group: 'rbac.authorization.k8s.io', kind, name: metadata.name })),
  }
}

export const ACCESS_VIEW: View<AccessReport> = {
  what: 'rbac can-i',
  forms: {
    text: async () => (await import('./access-text.ts')).renderAccess,
    wide: async () => (await import('./access-text.ts')).renderAccessWide,
  },
  rows: report => [...report.missing, ...report.unknown],
  rowKind: 'LackingRight',
  names: report =>
    [...report.missing, ...report.unknown].map(r => ({ group: '', kind: resourceOf(r), name: r.name || '*' })),
}
