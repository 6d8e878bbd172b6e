import { EXIT, type ExitCode, FleetctlError, UsageError } from '../../errors.ts'
import { type RbacList, rolesView } from '../../output/rbac-views.ts'
import type { RolesAbout } from '../../output/roles-text.ts'
import { oneLine } from '../../output/sanitize.ts'
import { isReading, type WritingCommand } from '../../rbac/commands.ts'
import { type ClusterPlaces, findPlaces } from '../../rbac/places.ts'
import { type Right, rightsFor, rightsToRead } from '../../rbac/rights.ts'
import { bindingsOf, grantsFor, watchGrant } from '../../rbac/roles.ts'
import { parseBoundTo } from '../../rbac/subject.ts'
import { type Call, note, openSource, reading } from '../call.ts'
import { listOption } from '../flag-values.ts'
import { kubeFlags } from '../kube-flags.ts'
import { produce } from '../produce.ts'
import { CHAIN } from '../watching/plans.ts'
import { type RbacFlags, rbacFlags } from './flags.ts'

/** Commands that are not called as their roles are. */
const WHAT: Partial<Readonly<Record<RbacFlags['command'], string>>> = {
  agent: 'each of the fleetctl agent commands, and fleetctl bootstrap agent,',
  fix: 'fleetctl doctor fix',
}

/** `fleetctl rbac`: the least roles that a run needs, and how to bind them. */
export async function rbac(call: Call): Promise<ExitCode> {
  const flags = rbacFlags(call.options)
  const to = listOption(call.options, 'to').map(parseBoundTo)
  const isExact = call.options.exact === true || call.flags.from !== undefined
  if (to.length > 0 && !isReading(flags.command) && flags.argo.length === 0 && !isExact) {
    throw new UsageError('--to binds what is written beside Argo CD in its namespaces only: name them with -n')
  }
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
      const rights = await rightsOf(flags, checks)
      const asked = { ...flags, places }
      const watched = flags.watch ? [watchGrant(asked, CHAIN[flags.side])] : []
      const grants = [...grantsFor(rights, asked), ...watched]
      const bindings = grants.flatMap(grant => bindingsOf(grant, to))
      about = {
        ...flags,
        what: WHAT[flags.command] ?? `fleetctl ${flags.command}`,
        where: whereOf(flags, places),
        other: otherSide(flags),
        rights,
        grants,
        bindings,
        isBound: to.length > 0,
        doubt: places?.doubt ?? '',
      }
      if (about.doubt !== '') note(call, `warning: further namespaces may matter: ${oneLine(about.doubt)}`)
      return { apiVersion: 'v1', kind: 'List', items: [...grants.map(g => g.role), ...bindings] }
    },
    exitCode: () => (about === undefined || about.doubt === '' ? EXIT.ok : EXIT.incomplete),
  })
}

/** @throws UsageError for a side on which the command does nothing */
async function rightsOf(flags: RbacFlags, checks: Parameters<typeof rightsFor>[1]): Promise<readonly Right[]> {
  const { command, side, secrets } = flags
  if (isReading(command)) return rightsFor(side, checks, { secrets, command })
  if (side === 'spoke')
    throw new UsageError(
      `${command} reads and writes on the hub only: the hub's controllers reach the managed clusters`,
    )
  const { rightsToWrite } = await import('../../rbac/write-rights.ts')
  return [...(await rightsToPlan(command, checks, secrets)), ...(await rightsToWrite(command))]
}

/** What a command reads before it writes. */
async function rightsToPlan(
  command: WritingCommand,
  checks: Parameters<typeof rightsFor>[1],
  secrets: boolean,
): Promise<readonly Right[]> {
  switch (command) {
    case 'bootstrap':
      return rightsToRead((await import('../bootstrap/kinds.ts')).BOOTSTRAP_KINDS, { secrets })
    case 'agent':
      return rightsToRead((await import('../agent/kinds.ts')).AGENT_KINDS, { secrets })
    case 'fix':
      // It looks as the doctor looks, and at a few kinds more than these checks for what its change brings about.
      return rightsFor('hub', checks, { secrets })
  }
}

function whereOf({ side }: RbacFlags, places: ClusterPlaces | undefined): string {
  if (side === 'hub') return 'the hub'
  return places === undefined ? 'a managed cluster' : `managed cluster "${places.report.name}"`
}

/** Arguments that print the roles of the other side. */
function otherSide({ command, side, secrets }: RbacFlags): string {
  return `rbac --for ${command}${side === 'hub' ? ' --on spoke' : ''}${secrets ? '' : ' --no-secrets'}`
}

/**
 * The namespaces of the cluster that the roles are for.
 *
 * @throws UsageError when it cannot be told which spoke is meant; FleetctlError when that spoke cannot be read
 */
async function placesNow(call: Call, { side, argo, secrets }: RbacFlags, signal: AbortSignal): Promise<ClusterPlaces> {
  const found = await findPlaces(await openSource(call), { argo, secrets: secrets && side === 'spoke' }, signal)
  const named = kubeFlags(call.options).spokes
  const isMeant = (name: string): boolean => side === 'hub' || named.length === 0 || named.includes(name)
  const fitting = found.filter(({ report }) => report.role === side && isMeant(report.name))
  const [place, second] = fitting
  if (place !== undefined && second === undefined) {
    const { name, otherwise } = place.report
    if (otherwise.state !== 'refused') return place
    throw new FleetctlError(`cannot look at managed cluster "${name}": ${otherwise.reason}`, EXIT.incomplete)
  }
  const names = found.flatMap(({ report }) => (report.role === 'spoke' ? [report.name] : []))
  const there = names.length === 0 ? 'none was read' : `there are ${names.join(', ')}`
  throw new UsageError(`the roles of which managed cluster? name one with --spoke; ${there}`)
}
