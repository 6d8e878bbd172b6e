import { makeBootstrapPlan } from '../../src/bootstrap/make-plan.ts'
import { MODEL_PARTS, type Part } from '../../src/bootstrap/part-names.ts'
import type { Model, Settings } from '../../src/bootstrap/settings.ts'
import { BOOTSTRAP_KINDS } from '../../src/commands/bootstrap/kinds.ts'
import type { KindName } from '../../src/fleet/kinds.ts'
import { kindOf } from '../../src/fleet/kinds.ts'
import { type LoadedFleet, loadFleet } from '../../src/fleet/load.ts'
import type { Manifest } from '../../src/plan/object.ts'
import { keepObjects, type ObjectReader } from '../../src/plan/object-reader.ts'
import { type ObjectStep, objectSteps, type Plan } from '../../src/plan/plan.ts'
import { type RawObject, textAt } from '../../src/raw.ts'
import { openPath } from '../../src/source/open.ts'
import type { Coverage, FleetSource } from '../../src/source/source.ts'
import { recordedFleet } from './fleets.ts'

/** A hub that was read, as plans want it. */
export interface TestHub {
  readonly source: FleetSource
  readonly reader: ObjectReader
  readonly loaded: LoadedFleet
}

export async function readHub(from: FleetSource): Promise<TestHub> {
  const { source, reader } = keepObjects(from)
  return { source, reader, loaded: await loadFleet(source, BOOTSTRAP_KINDS) }
}

export async function recordedHub(name: string): Promise<TestHub> {
  return readHub(await openPath(recordedFleet(name), {}))
}

/** A hub that holds exactly these objects and of which all is known. `less`: kinds that it does not serve. */
export function sourceOf(objects: readonly RawObject[], less: readonly KindName[] = []): FleetSource {
  return {
    type: 'recording',
    name: 'made by the test',
    async read(wanted, sink) {
      for (const object of objects) {
        const kind = kindOf(textAt(object, 'apiVersion'), textAt(object, 'kind'))
        if (kind !== undefined && wanted.has(kind)) sink.object('hub', kind, object, 'test')
      }
      const coverage = new Map<KindName, Coverage>(less.map(kind => [kind, { state: 'not-served' }]))
      const otherwise: Coverage = { state: 'read', complete: true }
      return { clusters: [{ name: 'hub', role: 'hub', readAt: 0, coverage, otherwise }], problems: [] }
    },
  }
}

interface Ask {
  readonly parts?: readonly Part[]
  readonly accepted?: readonly string[]
}

export const GIT: Settings = { repoUrl: 'https://git.example.test/fleet.git', path: 'apps/{{name}}' }

export async function planOn(hub: TestHub, model: Model, settings: Settings, ask: Ask = {}): Promise<Plan> {
  return makeBootstrapPlan(
    {
      words: ['bootstrap', model],
      parts: new Set(ask.parts ?? MODEL_PARTS[model]),
      model,
      settings,
      accepted: new Set(ask.accepted ?? []),
    },
    { ...hub, now: new Date(0) },
  )
}

/** The step of an object, which there must be. */
export function stepOf(plan: Plan, kind: string, name: string, namespace?: string): ObjectStep {
  const found = objectSteps(plan).find(
    ({ subject }) =>
      subject.kind === kind && subject.name === name && (namespace === undefined || subject.namespace === namespace),
  )
  if (found === undefined) throw new Error(`no step for ${kind} ${name}`)
  return found
}

export function manifestOf(plan: Plan, kind: string, name: string, namespace?: string): Manifest {
  return stepOf(plan, kind, name, namespace).manifest
}

export const codes = (list: readonly { readonly code: string }[]): string[] => list.map(item => item.code)
