import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { spokeArgo } from '../../fleet/joins/spoke-argo.ts'
import { works } from '../../fleet/joins/works.ts'
import { PULL_NAMESPACE } from '../../fleet/labels.ts'
import { delivered, edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

/** The one namespace with an Argo CD on all clusters of the Application or ApplicationSet; or why there is none. */
function homeOf(
  { subject: { cluster, kind, namespace, name } }: Finding,
  fleet: Fleet,
): string | { readonly why: string } {
  if (cluster !== 'hub') return { why: 'no application controller runs on the cluster, which the hub cannot start' }
  const { byApp, byAppSet } = fleet.join(works)
  const list = (kind === 'ApplicationSet' ? byAppSet : byApp).get(`${namespace}/${name}`) ?? []
  const argos = list.flatMap(w => fleet.join(spokeArgo).get(w.cluster) ?? [])
  const homes = new Set(argos.flatMap(argo => [...argo.namespaces]))
  const [home] = homes
  return home !== undefined && homes.size === 1
    ? home
    : { why: 'in which namespace Argo CD is on the clusters is not known for certain' }
}

export const spokeAppUnreconciledFix: Fix = {
  code: 'FLT0511',
  does: 'deliver the Applications into the namespace of the Argo CD on the clusters',
  risk: 'the Applications in the old namespace are deleted on the clusters; one with a finalizer hangs there, since nobody reconciles it',
  safe: false,
  kinds: ['ApplicationSet', 'Application'],
  hinders: (finding, fleet) => {
    const home = homeOf(finding, fleet)
    return typeof home === 'string' ? undefined : home.why
  },
  repair(input) {
    const { finding, fleet } = input
    const home = homeOf(finding, fleet)
    if (typeof home === 'string') {
      const { subject: of } = finding
      const annotations = { [PULL_NAMESPACE]: home }
      return {
        steps: [
          edit(input, of, delivered(of, { metadata: { annotations } }), `the Argo CD of the clusters is in ${home}`),
        ],
      }
    }
    return home.why
  },
}
