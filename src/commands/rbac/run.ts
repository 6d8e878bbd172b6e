import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { type RbacList, rolesView } from '../../output/rbac-views.ts'
import type { RolesAbout } from '../../output/roles-text.ts'
import { type ClusterPlaces, findPlaces } from '../../rbac/places.ts'
import { rightsFor } from '../../rbac/rights.ts'
import { bindingsOf, grantsFor } from '../../rbac/roles.ts'
import { type BoundTo, parseBoundTo } from '../../rbac/subject.ts'
import { type Call, openSource, reading } from '../call.ts'
import { listOption } from '../flag-values.ts'
import { kubeFlags } from '../kube-flags.ts'
import { produce } from '../produce.ts'
import { type RbacFlags, rbacFlags } from './flags.ts'

/** `fleetctl rbac`: the least roles that a run needs, and how to bind them. */
export async function rbac(call: Call): Promise<ExitCode> {
  const flags = rbacFlags(call.options)
  const to = listOption(call.options, 'to').map(parseBoundTo)
  const isExact = call.options.exact === true || call.flags.from !== undefined
  if (to.length > 0 && flags.secrets && flags.argo.length === 0 && !isExact) {
    throw new UsageError(
      '--to binds the right to read Secrets in the namespaces of Argo CD only: name them with -n, or pass --no-secrets',
    )
  }
  const checks = await call.engine.checks()
  let about: RolesAbout | undefined
  return produce(call, {
    view: rolesView(() => {
      if (about === undefined) throw new Error('rendered before the run')
      return about
    }),
    doing: isExact ? reading(call) : 'Deriving roles',
    run: async (signal): Promise<RbacList> => {
      const places = isExact ? await placesNow(call, flags, signal) : undefined
      const grants = grantsFor(rightsFor(flags.side, checks, flags), { ...flags, places })
      const bindings = grants.flatMap(grant => bindingsOf(grant, to))
      about = aboutOf(flags, places, grants, bindings, to)
      return { apiVersion: 'v1', kind: 'List', items: [...grants.map(g => g.role), ...bindings] }
    },
    exitCode: () => EXIT.ok,
  })
}

function aboutOf(
  flags: RbacFlags,
  places: ClusterPlaces | undefined,
  grants: RolesAbout['grants'],
  bindings: RolesAbout['bindings'],
  to: readonly BoundTo[],
): RolesAbout {
  const { command, side, secrets } = flags
  const where = side === 'hub' ? 'the hub' : places === undefined ? 'a managed cluster' : `"${places.report.name}"`
  const other = `rbac --for ${command}${side === 'hub' ? ' --on spoke' : ''}${secrets ? '' : ' --no-secrets'}`
  return { what: `fleetctl ${command}`, where, grants, bindings, isBound: to.length > 0, other, side, secrets }
}

/** The namespaces of the cluster that the roles are for. @throws UsageError when it cannot be told which spoke is meant */
async function placesNow(call: Call, { side, argo, secrets }: RbacFlags, signal: AbortSignal): Promise<ClusterPlaces> {
  const found = await findPlaces(await openSource(call), { argo, secrets: secrets && side === 'spoke' }, signal)
  const named = kubeFlags(call.options).spokes
  const fitting = found.filter(
    ({ report }) => report.role === side && (side === 'hub' || named.length === 0 || named.includes(report.name)),
  )
  const [place, second] = fitting
  if (place !== undefined && second === undefined) return place
  const names = found.flatMap(({ report }) => (report.role === 'spoke' ? [report.name] : []))
  const there = names.length === 0 ? 'none was read' : `there are ${names.join(', ')}`
  throw new UsageError(`the roles of which managed cluster? name one with --spoke; ${there}`)
}
