import { defineJoin, inputsOf } from '../fleet.ts'
import { pushTo } from '../maps.ts'
import type { Base } from '../records.ts'
import { appSets } from './appsets.ts'
import { registration } from './registration.ts'
import { placementKey } from './selection.ts'

/** GitOpsClusters and ApplicationSets that take their clusters from a Placement, by `namespace/name` of the Placement. */
export const placementUsers = defineJoin<ReadonlyMap<string, readonly Base[]>>(
  inputsOf(appSets, registration),
  fleet => {
    const users = new Map<string, Base[]>()
    for (const { goc } of fleet.join(registration).all) {
      pushTo(users, placementKey(goc.meta.namespace, goc.placementRef.name), goc)
    }
    for (const link of fleet.join(appSets).all) {
      for (const g of link.generators) {
        for (const name of g.placementNames) pushTo(users, placementKey(link.argoNamespace, name), link.appSet)
      }
    }
    return users
  },
)
