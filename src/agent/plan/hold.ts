import type { Fleet } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import type { ApplicationSet } from '../../fleet/records.ts'
import { makeSteps, numbered, type Want } from '../../plan/make-steps.ts'
import type { Manifest } from '../../plan/object.ts'
import type { ObjectReader } from '../../plan/object-reader.ts'
import { type ObjectStep, objectSteps, type Plan, type PlanNote, writes } from '../../plan/plan.ts'
import { summaryOf } from '../../plan/summary.ts'
import { merge } from '../../plan/values.ts'
import { isObject, type RawObject, textAt, valueAt } from '../../raw.ts'

/** What an ApplicationSet that is held had before, kept in it: a switch that was killed is ended by another run. */
export const HELD = 'fleetctl.io/held-applications-sync'
export const HOLD = 'Hold'
export const RELEASE = 'Release'

/** Policy under which the controller changes and deletes nothing that it has made. */
const KEEPING = 'create-only'
/** Values of the annotation where there was no policy: in a `syncPolicy` without it, and without a `syncPolicy`. */
const UNSET = 'unset'
const NO_POLICY = 'no-sync-policy'

const POLICY = ['spec', 'syncPolicy'] as const
const FIELD = [...POLICY, 'applicationsSync'] as const
const MARK = ['metadata', 'annotations', HELD] as const

function formerOf(raw: RawObject): string {
  const marked = textAt(raw, ...MARK)
  if (marked !== '') return marked
  return textAt(raw, ...FIELD) || (valueAt(raw, ...POLICY) === undefined ? NO_POLICY : UNSET)
}

function about(raw: RawObject): Manifest {
  const { apiVersion, kind } = raw
  const metadata = { namespace: textAt(raw, 'metadata', 'namespace'), name: textAt(raw, 'metadata', 'name') }
  return { apiVersion: String(apiVersion), kind: String(kind), metadata }
}

function holding(raw: RawObject): Want {
  const manifest = about(raw)
  return {
    type: 'object',
    section: HOLD,
    manifest: {
      ...manifest,
      metadata: { ...manifest.metadata, annotations: { [HELD]: formerOf(raw) } },
      spec: { syncPolicy: { applicationsSync: KEEPING } },
    },
    removes: [],
    shared: true,
    why: 'its controller changes and deletes no Application until the switch is through',
  }
}

/** Takes the hold off an ApplicationSet. @param raw the ApplicationSet with or without it */
export function releasing(raw: RawObject): Want {
  const former = formerOf(raw)
  const gone = former === NO_POLICY ? [POLICY] : former === UNSET ? [FIELD] : []
  return {
    type: 'object',
    section: RELEASE,
    manifest: { ...about(raw), ...(gone.length === 0 ? { spec: { syncPolicy: { applicationsSync: former } } } : {}) },
    removes: [...gone, MARK],
    shared: true,
    why: 'its controller works as before again',
  }
}

/** Is an ApplicationSet held by a switch that did not end? */
export const isHeld = (appSet: ApplicationSet): boolean => HELD in appSet.meta.annotations

/** ApplicationSets of an Argo CD with an Application on one of these clusters, or among these, and those that are held. */
function affected(
  fleet: Fleet,
  namespaces: ReadonlySet<string>,
  { clusters, keys }: { readonly clusters: ReadonlySet<string>; readonly keys: ReadonlySet<string> },
): readonly ApplicationSet[] {
  const touched = new Set(
    fleet
      .join(applications)
      .all.filter(l => clusters.has(l.cluster) || keys.has(l.key))
      .map(l => l.appSet?.appSet),
  )
  return fleet
    .join(appSets)
    .all.filter(l => namespaces.has(l.argoNamespace))
    .map(l => l.appSet)
    .filter(set => isHeld(set) || (touched.has(set) && set.applicationsSync !== KEEPING))
}

/** Whom a switch is about, as far as it concerns ApplicationSets. */
export interface HeldScope {
  readonly namespaces: ReadonlySet<string>
  readonly clusters: ReadonlySet<string>
  /** `namespace/name` of Applications that the switch stops. */
  readonly keys: ReadonlySet<string>
}

function notHeld({ subject, owner }: ObjectStep): PlanNote {
  const text = `ApplicationSet ${subject.namespace}/${subject.name} is not held during the switch: ${owner?.text ?? 'somebody'} keeps it; change nothing of it meanwhile`
  return { level: 'warning', code: 'not-held', text }
}

/**
 * The plan between a first part that holds the ApplicationSets it concerns, and a last one that lets them go again: what a
 * template or a Placement would change during a switch is not carried out half (agent-mode.md 2.3, steps 1 and 11). One that
 * is kept elsewhere is left, with a note.
 */
export async function heldThroughout(
  plan: Plan,
  scope: HeldScope,
  { fleet, reader }: { readonly fleet: Fleet; readonly reader: ObjectReader },
): Promise<Plan> {
  const own = new Set(
    objectSteps(plan)
      .filter(step => step.subject.kind === 'ApplicationSet')
      .map(step => `${step.subject.namespace}/${step.subject.name}`),
  )
  // Without a change there is nothing to hold; what a run that did not end holds is let go all the same.
  const isIdle = writes(plan).length === 0
  const first: ObjectStep[] = []
  const last: ObjectStep[] = []
  const notes: PlanNote[] = []
  for (const appSet of affected(fleet, scope.namespaces, scope)) {
    const { subject, meta } = appSet
    if (isIdle && !isHeld(appSet)) continue
    const seen = await reader.look(subject)
    if (seen.state !== 'present' || own.has(`${meta.namespace}/${meta.name}`)) continue
    const want = holding(seen.object)
    const held = merge(seen.object, want.manifest)
    if (!isObject(held)) continue
    const [hold] = await makeSteps([want], reader, fleet)
    const [release] = await makeSteps(
      [releasing(held)],
      { look: async () => ({ state: 'present', object: held }) },
      fleet,
    )
    if (hold?.type !== 'object' || release?.type !== 'object') continue
    if (hold.owner !== undefined) notes.push(notHeld(hold))
    else {
      first.push(hold)
      last.push(release)
    }
  }
  const shift = first.length
  const steps = numbered([...first, ...plan.steps, ...last])
  const start = shift + plan.steps.length
  const undoing = steps.map((step, i) =>
    i < start || step.type === 'wait' ? step : { ...step, undoes: i - start + 1 },
  )
  return { ...plan, steps: undoing, summary: summaryOf(undoing), notes: [...notes, ...plan.notes] }
}
