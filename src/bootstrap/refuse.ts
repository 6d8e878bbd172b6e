import { UsageError } from '../errors.ts'
import type { ObjectStep } from '../plan/plan.ts'
import type { Judged } from './judge.ts'
import { listed } from './names.ts'

const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** Longest name of a ManifestWork: on the cluster, 64 hex digits and a dash are put before it (push-pull.md 1.10). */
const MOST_WORK_NAME = 188
/** Longest `namespace.name` of a Policy: the name of its replicas (push-pull.md 1.16). */
const MOST_POLICY_NAME = 63

function emptySelection({ blueprint, clusters, preview }: Judged): string | undefined {
  const { parts, argoNamespace, placement } = blueprint
  if (clusters.length > 0 || !(parts.has('placement') || parts.has('appset'))) return undefined
  const own = preview.placements.find(p => p.namespace === argoNamespace && p.name === placement.name)
  if (own === undefined || !own.certain) return undefined
  const misconfigured = own.notSelected.find(n => n.reason === 'misconfigured')
  // It is the same for every cluster, and the only thing to mend.
  if (misconfigured !== undefined) return `Placement "${placement.name}" would be wrong: ${misconfigured.detail}`
  const asked = new Set(blueprint.set?.clusters)
  const first = [...own.notSelected].sort((a, b) => Number(asked.has(b.cluster)) - Number(asked.has(a.cluster)))
  const why = first.slice(0, 3).map(n => `${n.cluster}: ${n.detail}`)
  return `Placement "${placement.name}" would select no cluster (${why.join('; ') || 'the hub has none'})`
}

function applicationNames({ preview, blueprint }: Judged): string | undefined {
  const names = preview.applications.made
    .filter(app => app.applicationSet === `${blueprint.argoNamespace}/${blueprint.appSet}` && app.name !== '')
    .map(app => app.name)
  const invalid = names.find(name => !DNS_SUBDOMAIN.test(name) || name.length > 253)
  if (invalid !== undefined) {
    return `the Application would be called "${invalid}", which is no valid name; change --app-name`
  }
  // `<app>-` and the first five characters of its uid.
  const long = blueprint.model === 'pull' ? names.find(name => name.length + 6 > MOST_WORK_NAME) : undefined
  return long === undefined
    ? undefined
    : `the ManifestWork of Application "${long}" would have too long a name; shorten --app-name`
}

/** ACM labels its report `<namespace>.<name>`, cut at 63: what ends in a sign then is refused, and no status comes back. */
function reportLabel({ blueprint }: Judged): string | undefined {
  const { argoNamespace, appSet, model, hub } = blueprint
  const cut = `${argoNamespace}.${appSet}`.slice(0, 63)
  if (model !== 'pull' || hub.flavour !== 'acm' || /[A-Za-z0-9]$/.test(cut)) return undefined
  return `ACM could not label the report of ApplicationSet "${appSet}" ("${cut}" ends in a sign); choose another name with --appset`
}

function policyNames(steps: readonly ObjectStep[]): string | undefined {
  const long = steps.find(
    ({ subject }) => subject.kind === 'Policy' && `${subject.namespace}.${subject.name}`.length > MOST_POLICY_NAME,
  )
  return long === undefined
    ? undefined
    : `"${long.subject.namespace}.${long.subject.name}" is too long for a Policy (${MOST_POLICY_NAME}); choose a shorter --set or --policy-namespace`
}

function unservedKinds({ blueprint }: Judged, steps: readonly ObjectStep[]): string | undefined {
  const { hub } = blueprint
  const kinds = new Set(steps.filter(s => s.action === 'create').map(s => s.subject))
  const missing = [...kinds].filter(s => !servesKind(hub.serves, s.kind)).map(s => `${s.kind} (${s.group})`)
  return missing.length === 0
    ? undefined
    : `this hub does not serve ${listed([...new Set(missing)])}, which the plan needs`
}

function servesKind(serves: Judged['blueprint']['hub']['serves'], kind: string): boolean {
  // The subject of a step is of a kind of the chain.
  return serves(kind as Parameters<typeof serves>[0])
}

/** @throws UsageError for a plan that can never work on this hub */
export function refuse(judged: Judged): void {
  const steps = judged.steps.filter(step => step.type === 'object')
  const reason =
    unservedKinds(judged, steps) ??
    emptySelection(judged) ??
    applicationNames(judged) ??
    reportLabel(judged) ??
    policyNames(steps)
  if (reason !== undefined) throw new UsageError(reason)
}
