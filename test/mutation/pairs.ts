import { runDoctor } from '../../src/doctor.ts'
import { judge, KNOWN, readExpected } from '../support/expected.ts'
import { FLEET_NAMES, FLEETS, readRecorded } from '../support/fleets.ts'
import { type Known, merged } from './merge.ts'

/** Pairs in which one fault hides or explains the other, so that one root is all there is to find. */
const ONE_ROOT: readonly (readonly [reason: string, first: string, second: RegExp])[] = [
  ['the other fleet brings a GitOpsCluster, so none is absent any more', 'pull-gitopscluster-deleted', /./],
  [
    'the pull model is switched off: nobody can tell that its controllers would be down as well',
    'pull-switched-off',
    /^pull-(aggregation-down|propagation-down|deletion-stuck-propagation-down|label-missing-deletion-stuck)$/,
  ],
  [
    'the ConfigMap is missing because no GitOpsCluster gets as far as writing it',
    'pull-placement-configmap-missing',
    /^(goc-no-argocd-server|pull-placement-configmap-missing-no-server)$/,
  ],
  [
    'the binding that is missing in one has nearly the name of that which is wrong in the other',
    'push-binding-unknown-set',
    /^push-binding-no-intersection$/,
  ],
  [
    'the root of the first is invisible in it, and what shows of it comes before the warning of the second',
    'cluster-proxy-down-first-minute',
    /^(pull-deployment-never-available|pull-manual-sync-not-started|pull-preserve-orphan-manifestwork|pull-selfheal-fight|push-works-cluster-proxy-addon-unavailable)$/,
  ],
]

/** Fleets of one family share a hub: the same Argo CD, the same flavour, the same release. */
function family(name: string): string {
  if (name.startsWith('agent-')) return 'agent'
  return /^(acm-2|upstream)/.test(name) ? name : 'acm'
}

export function oneRoot(a: string, b: string): string | undefined {
  return ONE_ROOT.find(([, first, second]) => (a === first && second.test(b)) || (b === first && second.test(a)))?.[0]
}

export type Pair = readonly [first: string, second: string]

/** Every two fleets of a family, one of them broken, that have no root in common by nature. */
export function pairs(): Pair[] {
  const names = FLEET_NAMES.filter(name => !(name in KNOWN))
  const healthy = new Set(names.filter(name => readExpected(FLEETS, name).healthy))
  return names.flatMap((a, i) =>
    names
      .slice(i + 1)
      .filter(b => family(a) === family(b) && !(healthy.has(a) && healthy.has(b)) && oneRoot(a, b) === undefined)
      .map((b): Pair => [a, b]),
  )
}

const read = new Map<string, Promise<Known>>()

function known(name: string): Promise<Known> {
  const found = read.get(name)
  if (found !== undefined) return found
  const reading = readRecorded(name).then(fleet => ({ fleet, expected: readExpected(FLEETS, name) }))
  read.set(name, reading)
  return reading
}

/** What is wrong with the doctor's answer for two fleets in one; undefined where both blame the same object. */
export async function judged([a, b]: Pair): Promise<readonly string[] | undefined> {
  const both = merged(await known(a), await known(b))
  if (both === undefined) return undefined
  const { findings } = await runDoctor(both.fleet)
  return judge(both.expected, findings).notes
}
