import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { engine } from '../../src/commands/engine.ts'
import { schemaOf, schemaOfAll } from '../../src/output/schema/schemas.ts'
import type { ApplicationTrace } from '../../src/trace/trace.ts'
import { closed } from './closed-schema.ts'

/** What the engine makes of recorded fleets keeps to the schemas, and has no field that they do not know. */

const open = (name: string) => engine.openPath(join('test', 'fleets', `${name}.tgz`), {})

function expectValid(kind: string, document: object): void {
  const parsed: unknown = JSON.parse(JSON.stringify(document))
  for (const schema of [schemaOf(kind) ?? {}, schemaOfAll(), closed(schemaOf(kind) ?? {})]) {
    const validate = new Ajv2020({ allErrors: true, strictRequired: false }).compile(schema)
    validate(parsed)
    expect(validate.errors).toBeNull()
  }
}

describe.each(['two-independent-faults', 'cluster-unavailable-tolerated', 'agent-disconnected', 'upstream-healthy'])(
  '%s',
  name => {
    test('report', async () => {
      expectValid('DoctorReport', await engine.runDoctor(await open(name), {}))
    })

    test('traces', async () => {
      const cluster = await engine.traceCluster(await open(name), 'bm', {})
      expectValid('ClusterTrace', cluster)
      const apps = cluster.traces.slice(0, 3)
      expect(apps.length).toBeGreaterThan(0)
      for (const trace of apps) await expectTraces(name, trace)
    })
  },
)

async function expectTraces(name: string, { application, hops }: ApplicationTrace): Promise<void> {
  const ref = { namespace: application.namespace, name: application.name }
  expectValid('ApplicationTrace', await engine.traceApp(await open(name), ref, {}))
  const set = hops.find(hop => hop.subject.kind === 'ApplicationSet')?.subject
  if (set === undefined) return
  expectValid('ApplicationSetTrace', await engine.traceAppSet(await open(name), { name: set.name }, {}))
}
