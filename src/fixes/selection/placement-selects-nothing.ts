import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { clusters } from '../../fleet/joins/clusters.ts'
import { placements } from '../../fleet/joins/placements.ts'
import { isObject } from '../../raw.ts'
import { nearest } from '../../ui/nearest.ts'
import { edit, listOf, mapObjects, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

interface Misspelt {
  readonly key: string
  readonly wrong: string
  readonly right: string
}

const UNKNOWN = 'which clusters are meant, only the author of the Placement knows'

/** The one label of the only predicate that every candidate has with one and the same, nearly equal value. */
function misspelt({ subject: { namespace, name } }: Finding, fleet: Fleet): Misspelt | string {
  const placement = fleet.hub.of('Placement').get(namespace, name)
  const explained = fleet.join(placements).explain(namespace, name)
  const predicate = placement?.predicates[0]
  if (predicate === undefined || placement?.predicates.length !== 1 || explained === undefined) return UNKNOWN
  const { byName } = fleet.join(clusters)
  const candidates = explained.notSelected
    .filter(n => n.reason === 'predicate')
    .flatMap(n => byName.get(n.cluster) ?? [])
  const found = Object.entries(predicate.labelSelector?.matchLabels ?? {}).flatMap(([key, wrong]): Misspelt[] => {
    const values = [...new Set(candidates.map(c => c.meta.labels[key]))]
    const [right] = values
    if (right === undefined || values.length !== 1 || right === wrong) return []
    return nearest(wrong, [right]) === undefined ? [] : [{ key, wrong, right }]
  })
  const [only] = found
  return only !== undefined && found.length === 1 ? only : UNKNOWN
}

export const placementSelectsNothingFix: Fix = {
  code: 'FLT0105',
  does: 'correct a label of the predicate that all clusters have in nearly this form',
  risk: 'the Placement selects these clusters, and Applications are made for them',
  safe: false,
  kinds: ['Placement'],
  hinders: (finding, fleet) => {
    const found = misspelt(finding, fleet)
    return typeof found === 'string' ? found : undefined
  },
  repair(input) {
    const { finding, fleet } = input
    const found = misspelt(finding, fleet)
    if (typeof found === 'string') return found
    const predicates = listOf(input, finding.subject, 'spec', 'predicates')
    if (predicates === undefined) return NOT_SEEN
    const corrected = mapObjects(predicates, object =>
      isObject(object.matchLabels) && object.matchLabels[found.key] === found.wrong
        ? { ...object, matchLabels: { ...object.matchLabels, [found.key]: found.right } }
        : object,
    )
    return {
      steps: [
        edit(
          input,
          finding.subject,
          { spec: { predicates: corrected } },
          `the clusters carry ${found.key}=${found.right}, not ${found.wrong}`,
        ),
      ],
    }
  },
}
