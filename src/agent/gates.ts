import { gatesOf } from '../bootstrap/gates.ts'
import type { Judged } from '../bootstrap/judge.ts'
import { count } from '../output/layout.ts'
import type { Gate } from '../plan/plan.ts'
import { lostOnClusters } from './danger.ts'
import { compareAccepted, type FrozenApplication, keyOf } from './frozen.ts'
import type { Precondition } from './preconditions/precondition.ts'
import { blocking } from './preconditions.ts'

/** What a user has accepted by name. */
export interface AgentAccepted {
  readonly frozen: readonly string[]
  readonly lost: readonly string[]
  readonly codes: ReadonlySet<string>
}

/** Gates of a bootstrap that a switch judges better, by preconditions and by names. */
const OWN = new Set([
  'deleted-by-agents',
  'frozen-applications',
  'pull-beside-agent',
  'operator-too-old',
  'no-operator',
  'push-off',
  'registration-collision',
  'hub-selected',
])

/** How far a list of names is from the one that is needed. */
function distance(named: readonly string[], keys: readonly string[], home: string): string {
  if (named.length === 0) return ''
  const { lacks, tooMuch } = compareAccepted(named, keys, home)
  const parts = [
    ...(lacks.length === 0 ? [] : [`not named: ${lacks.join(', ')}`]),
    ...(tooMuch.length === 0 ? [] : [`named without need: ${tooMuch.join(', ')}`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`
}

/** A danger that is open only for a list of exactly these names. */
export function namedGate(
  danger: { readonly code: string; readonly text: string; readonly flag: string },
  items: readonly { readonly key: string; readonly text: string }[],
  named: readonly string[],
  home: string,
): Gate {
  const keys = items.map(item => item.key)
  return {
    code: danger.code,
    text: `${danger.text}${distance(named, keys, home)}`,
    details: items.map(item => item.text),
    flag: `${danger.flag} ${keys.join(',')}`,
    accepted: compareAccepted(named, keys, home).isExact,
  }
}

/** The gate of Applications that freeze; undefined where none does that is not frozen already. */
export function frozenGate(
  frozen: readonly FrozenApplication[],
  named: readonly string[],
  home: string,
): Gate | undefined {
  const fresh = frozen.filter(f => !f.already)
  if (fresh.length === 0) return undefined
  return namedGate(
    {
      code: 'frozen-applications',
      text: `${count(fresh.length, 'Application')} would freeze and still look healthy; choose --setup hybrid or dedicated, or name exactly these`,
      flag: '--accept-frozen',
    },
    fresh.map(f => ({
      key: keyOf(f),
      text: `${keyOf(f)} (${f.model}${f.cluster === '' ? '' : ` to ${f.cluster}`})`,
    })),
    named,
    home,
  )
}

function preconditionGate(preconditions: readonly Precondition[]): Gate | undefined {
  const failing = blocking(preconditions)
  if (failing.length === 0) return undefined
  return {
    code: 'preconditions',
    text: `${count(failing.length, 'precondition')} ${failing.length === 1 ? 'does' : 'do'} not hold`,
    details: failing.map(p => `${p.code}: ${p.seen}; ${p.todo}`),
    flag: '',
    accepted: false,
  }
}

function lostGate(judged: Pick<Judged, 'before' | 'after'>, named: readonly string[], home: string) {
  const lost = lostOnClusters(judged.before, judged.after)
  if (lost.length === 0) return undefined
  return namedGate(
    {
      code: 'deleted-by-agents',
      text: `agents would delete ${count(lost.length, 'Application')} with the workload, within two seconds, and the hub would still say Synced and Healthy`,
      flag: '--accept-lost',
    },
    lost.map(l => ({ key: l.key, text: `${l.key} on ${l.cluster}: ${l.why}` })),
    named,
    home,
  )
}

/** What fleetctl does not do and the plan rests on: the user says that it is done. */
function byHandGate(byHand: string, codes: ReadonlySet<string>): Gate | undefined {
  if (byHand === '') return undefined
  return {
    code: 'by-hand',
    text: 'a part has to be done by hand first, or the principal dies a minute after each start',
    details: [byHand],
    flag: '--accept by-hand',
    accepted: codes.has('by-hand'),
  }
}

/** Every danger of a switch. */
export function agentGates(
  judged: Judged,
  frozen: readonly FrozenApplication[],
  preconditions: readonly Precondition[],
  byHand: string,
  accepted: AgentAccepted,
): readonly Gate[] {
  const home = judged.blueprint.argoNamespace
  const own = [
    preconditionGate(preconditions),
    byHandGate(byHand, accepted.codes),
    frozenGate(frozen, accepted.frozen, home),
    lostGate(judged, accepted.lost, home),
  ].filter(gate => gate !== undefined)
  return [...own, ...gatesOf(judged, accepted.codes).filter(gate => !OWN.has(gate.code))]
}
