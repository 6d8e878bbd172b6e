import { EXIT, type ExitCode, FleetctlError, UsageError } from '../../errors.ts'
import { KubeError } from '../../kube/errors.ts'
import type { LiveSourceOptions } from '../../kube/live-source.ts'
import { ACCESS_VIEW } from '../../output/rbac-views.ts'
import { type AccessReport, accessReport, type ClusterAccess, reviewAccess } from '../../rbac/access-report.ts'
import { isReading } from '../../rbac/commands.ts'
import { type ClusterPlaces, findPlaces } from '../../rbac/places.ts'
import { rightsFor } from '../../rbac/rights.ts'
import type { Call } from '../call.ts'
import { liveOptions } from '../live.ts'
import { produce } from '../produce.ts'
import { rbacFlags } from './flags.ts'

/** `fleetctl rbac can-i`: what the current user lacks for a run. */
export async function canI(call: Call): Promise<ExitCode> {
  const { engine, options, flags: common } = call
  if (common.from !== undefined) throw new UsageError('rbac can-i asks a live hub and cannot go with --from')
  for (const name of ['on', 'to', 'exact']) {
    if (options[name] !== undefined) throw new UsageError(`--${name} is for "rbac", not for "rbac can-i"`)
  }
  const flags = rbacFlags(options)
  const { command } = flags
  if (!isReading(command))
    throw new UsageError(`${command} asks for its rights itself, object by object, before the first write`)
  const live = await liveOptions(call)
  return produce(call, {
    view: ACCESS_VIEW,
    doing: 'Asking the hub',
    run: async (signal): Promise<AccessReport> => {
      const checks = await engine.checks()
      // Only for spokes do cluster secrets tell anything about namespaces.
      const secrets = flags.secrets && (live.spokes ?? []).length > 0
      const clusters = await findPlaces(await engine.openLive(call), { ...flags, secrets }, signal)
      const asks = { command, secrets: flags.secrets }
      const rights = { hub: rightsFor('hub', checks, asks), spoke: rightsFor('spoke', checks, asks) }
      const asked = clusters.map(cluster => review(cluster, rights[cluster.report.role], live, signal))
      return accessReport(command, await Promise.all(asked))
    },
    exitCode: ({ clusters, missing, unknown }) =>
      missing.length + unknown.length > 0 || clusters.some(c => c.reason !== '') ? EXIT.incomplete : EXIT.ok,
  })
}

/** @throws KubeError when the hub cannot be asked; a spoke that cannot be is a result */
async function review(
  places: ClusterPlaces,
  rights: Parameters<typeof reviewAccess>[1],
  live: LiveSourceOptions,
  signal: AbortSignal,
): Promise<ClusterAccess> {
  const { name, role, otherwise } = places.report
  const notAsked = (reason: string): ClusterAccess => ({ name, role, reason, allowed: 0, missing: [], unknown: [] })
  if (otherwise.state === 'refused') return notAsked(otherwise.reason)
  const { openReviewer } = await import('../../kube/access-review.ts')
  try {
    const reviewer = await openReviewer(name, live, signal)
    try {
      return await reviewAccess({ name, role }, rights, places, reviewer)
    } finally {
      reviewer.close()
    }
  } catch (error) {
    if (role === 'hub' || signal.aborted || !(error instanceof FleetctlError)) throw error
    return notAsked(error instanceof KubeError ? error.reason : error.message)
  }
}
