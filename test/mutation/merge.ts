import { isObject } from '../../src/raw.ts'
import type { Expected, ExpectedRoot, ExpectedSubject } from '../support/expected.ts'
import { type RawObject, RecordedFleet, type RecordedObject } from '../support/fleets.ts'

/** A recorded fleet, and what is known to be wrong with it. */
export interface Known {
  readonly fleet: RecordedFleet
  readonly expected: Expected
}

/** Kinds whose names are given by people; the names of everything else follow from them, or are the same in every fleet. */
const NAMED = new Set([
  'ManagedCluster',
  'ApplicationSet',
  'Placement',
  'GitOpsCluster',
  'ManagedClusterSet',
  'AppProject',
])

/** Names that mean something by themselves. */
const FIXED = new Set(['default', 'global', 'local-cluster', 'openshift-gitops', 'in-cluster'])

const SUFFIX = 'b'

function metaOf({ raw }: RecordedObject): { namespace: string; name: string } {
  const meta = isObject(raw.metadata) ? raw.metadata : {}
  return { namespace: typeof meta.namespace === 'string' ? meta.namespace : '', name: String(meta.name) }
}

function refOf(object: RecordedObject): string {
  const { namespace, name } = metaOf(object)
  return `${object.cluster}/${object.kind}/${namespace}/${name}`
}

function subjectRef(s: ExpectedSubject): string {
  return `${s.cluster}/${s.kind}/${s.namespace ?? ''}/${s.name}`
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const BASE64 = /^[A-Za-z0-9+/]{2,}={0,2}$/

/** Changes every text of a value, also that of a Secret's data. */
function mapped(value: unknown, text: (text: string) => string, data = false): unknown {
  if (typeof value === 'string') {
    if (!data || !BASE64.test(value)) return text(value)
    return Buffer.from(text(Buffer.from(value, 'base64').toString('utf8'))).toString('base64')
  }
  if (Array.isArray(value)) return value.map(item => mapped(item, text, data))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), mapped(item, text, data)]))
}

function readAt({ report }: RecordedFleet): number {
  return report.clusters.find(c => c.role === 'hub')?.readAt ?? 0
}

/** The fleet with other names for its clusters and for what people have named, at another time. */
function renamed({ fleet, expected }: Known, later: number): Known {
  const names = new Set(fleet.objects.filter(o => o.cluster === 'hub' && NAMED.has(o.kind)).map(o => metaOf(o).name))
  // What is to blame because it is missing has a name as well.
  for (const root of expected.root ?? []) if (root.cluster === 'hub' && NAMED.has(root.kind)) names.add(root.name)
  for (const c of fleet.report.clusters) if (c.role === 'spoke') names.add(c.name)
  // Names of Applications contain that of their cluster, except those that somebody made by hand.
  const clusters = fleet.report.clusters.filter(c => c.role === 'spoke').map(c => c.name)
  for (const o of fleet.objects)
    if (o.kind === 'Application' && !clusters.some(c => metaOf(o).name.split('-').includes(c)))
      names.add(metaOf(o).name)
  const list = [...names].filter(n => !FIXED.has(n)).sort((a, b) => b.length - a.length)
  const any = new RegExp(`(?<![A-Za-z0-9])(${list.join('|')})(?![A-Za-z0-9])`, 'g')
  const text = (t: string): string =>
    TIME.test(t) ? new Date(Date.parse(t) + later).toISOString().replace('.000Z', 'Z') : t.replace(any, `$1${SUFFIX}`)
  const objects = fleet.objects.map(o => ({
    ...o,
    cluster: text(o.cluster),
    raw: Object.fromEntries(
      Object.entries(o.raw).map(([key, value]) => [
        key,
        key === 'kind' || key === 'apiVersion' ? value : mapped(value, text, o.kind === 'Secret' && key === 'data'),
      ]),
    ),
  }))
  const clustersRead = fleet.report.clusters.map(c => ({
    ...c,
    name: text(c.name),
    ...(c.readAt === undefined ? {} : { readAt: c.readAt + later }),
  }))
  return {
    fleet: new RecordedFleet(fleet.name, objects, { ...fleet.report, clusters: clustersRead }),
    expected: mapped(expected, text) as Expected,
  }
}

function roots({ expected }: Known): readonly ExpectedSubject[] {
  return (expected.root ?? []).flatMap((r: ExpectedRoot) => [r, ...(r.or ?? [])])
}

/**
 * Two recorded fleets as one: the clusters, ApplicationSets, Placements and GitOpsClusters of the second under other names,
 * on the hub of the first. Of what both have, the object that is to blame in one of them wins; undefined where it is to blame
 * in both, for then one fault hides the other.
 */
export function merged(first: Known, other: Known): Known | undefined {
  const second = renamed(other, readAt(first.fleet) - readAt(other.fleet))
  const blamed = [new Set(roots(first).map(subjectRef)), new Set(roots(second).map(subjectRef))] as const
  const [byFirst, bySecond] = blamed
  if ([...byFirst].some(ref => bySecond.has(ref))) return undefined
  const mine = new Map(first.fleet.objects.map(o => [refOf(o), o]))
  const theirs = new Map(second.fleet.objects.map(o => [refOf(o), o]))
  const objects: RecordedObject[] = []
  for (const [ref, object] of mine) {
    // What is to blame because it is missing stays missing.
    if (bySecond.has(ref)) continue
    objects.push(object)
  }
  for (const [ref, object] of theirs) {
    if (byFirst.has(ref)) continue
    if (mine.has(ref) && !bySecond.has(ref)) continue
    objects.push(object)
  }
  const spokes = new Set(first.fleet.report.clusters.map(c => c.name))
  return {
    fleet: new RecordedFleet(`${first.fleet.name}+${other.fleet.name}`, objects, {
      ...first.fleet.report,
      clusters: [
        ...first.fleet.report.clusters,
        ...second.fleet.report.clusters.filter(c => c.role === 'spoke' && !spokes.has(c.name)),
      ],
    }),
    expected: {
      name: `${first.expected.name}+${second.expected.name}`,
      model: first.expected.model,
      healthy: first.expected.healthy && second.expected.healthy,
      root: [...(first.expected.root ?? []), ...(second.expected.root ?? [])],
      allowed: [...(first.expected.allowed ?? []), ...(second.expected.allowed ?? [])],
      symptoms: [...(first.expected.symptoms ?? []), ...(second.expected.symptoms ?? [])],
    },
  }
}

/** A raw object of a fleet, for a look at what a merge made of it. */
export function objectOf(fleet: RecordedFleet, ref: string): RawObject | undefined {
  return fleet.objects.find(o => refOf(o) === ref)?.raw
}
