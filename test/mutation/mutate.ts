import { CHECKS } from '../../src/checks/registry.ts'
import { examine } from '../../src/diagnosis.ts'
import { stopsOf, ways } from '../../src/fleet/joins/ways.ts'
import { loadFleet } from '../../src/fleet/load.ts'
import { subjectKey } from '../../src/fleet/subject.ts'
import { isObject } from '../../src/raw.ts'
import { ALL_KINDS, type RecordedFleet, type RecordedObject, readRecorded } from '../support/fleets.ts'
import { HARMLESS } from './harmless.ts'
import { mutants } from './mutations.ts'

export interface Survivor {
  readonly fleet: string
  readonly object: string
  readonly what: string
}

export interface Outcome {
  readonly mutants: number
  readonly errors: number
  readonly warnings: number
  readonly infos: number
  /** Nothing is reported, and nothing need be. */
  readonly harmless: number
  readonly survivors: readonly Survivor[]
}

/** Severity of each finding in a fleet, by check and subject. */
async function findings(fleet: RecordedFleet): Promise<ReadonlyMap<string, string>> {
  const loaded = await loadFleet(fleet, ALL_KINDS)
  const { run } = examine(loaded, CHECKS)
  const all = new Map(
    run.found.map(({ check, finding }) => [
      `${check.code}|${subjectKey(finding.subject)}`,
      finding.severity ?? check.severity,
    ]),
  )
  // A field of a wrong type makes checks unknown, which is an answer too.
  for (const u of run.unknown) all.set(`unknown|${u.code}`, 'warning')
  return all
}

/** Objects that the way of some Application leads through, and the rights by which clusters are generated. */
async function onTheWay(fleet: RecordedFleet): Promise<(object: RecordedObject) => boolean> {
  const { fleet: typed } = await loadFleet(fleet, ALL_KINDS)
  const keys = new Set<string>()
  for (const way of typed.join(ways).all) for (const stop of stopsOf(typed, way)) keys.add(subjectKey(stop))
  for (const role of typed.hub.of('Role').all)
    if (role.rules.some(r => r.resources.includes('placementdecisions'))) keys.add(subjectKey(role.subject))
  for (const binding of typed.hub.of('RoleBinding').all) {
    const role = typed.hub.of('Role').get(binding.meta.namespace, binding.roleName)
    if (role !== undefined && keys.has(subjectKey(role.subject))) keys.add(subjectKey(binding.subject))
  }
  const found = new Set<string>()
  for (const view of [typed.hub, ...typed.spokes.values()])
    for (const kind of ALL_KINDS)
      for (const { subject } of view.of(kind).all)
        if (keys.has(subjectKey(subject))) found.add(`${subject.cluster}/${kind}/${subject.namespace}/${subject.name}`)
  return ({ cluster, kind, raw }) => {
    const meta = isObject(raw.metadata) ? raw.metadata : {}
    return found.has(
      `${cluster}/${kind}/${typeof meta.namespace === 'string' ? meta.namespace : ''}/${String(meta.name)}`,
    )
  }
}

function nameOf({ cluster, kind, raw }: RecordedObject): string {
  const meta = isObject(raw.metadata) ? raw.metadata : {}
  return [cluster, kind, meta.namespace, meta.name].filter(p => p !== undefined).join('/')
}

/** Breaks a healthy fleet in every single way, and tells what is reported for each and what for none. */
export async function mutate(name: string): Promise<Outcome> {
  const fleet = await readRecorded(name)
  const before = await findings(fleet)
  const survivors: Survivor[] = []
  const counts = { mutants: 0, errors: 0, warnings: 0, infos: 0, harmless: 0 }
  for (const mutant of mutants(fleet, await onTheWay(fleet))) {
    counts.mutants++
    const fresh = [...(await findings(mutant.fleet))]
      .filter(([key, severity]) => before.get(key) !== severity)
      .map(([, severity]) => severity)
    if (fresh.includes('error')) counts.errors++
    else if (fresh.includes('warning')) counts.warnings++
    else if (fresh.includes('info')) counts.infos++
    else if (HARMLESS.some(([, form]) => form.test(`${mutant.object.kind} ${mutant.what}`))) counts.harmless++
    else survivors.push({ fleet: name, object: nameOf(mutant.object), what: mutant.what })
  }
  return { ...counts, survivors }
}
