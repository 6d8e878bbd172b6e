import { expect, it } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { readPlan } from '../../src/plan/read-plan.ts'

const SET = { apiVersion: 'cluster.open-cluster-management.io/v1beta2', kind: 'ManagedClusterSet' }
const STEP = {
  number: 1,
  type: 'object',
  manifest: { ...SET, metadata: { name: 'demo' } },
  subject: { kind: 'ManagedClusterSet', namespace: '', name: 'demo' },
  precondition: {},
}
const PLAN = { apiVersion: 'fleetctl/v1', kind: 'Plan', target: {}, gates: [], steps: [STEP] }

const read = (value: unknown): unknown => readPlan(JSON.stringify(value), 'plan.json')
const withStep = (step: unknown): unknown => ({ ...PLAN, steps: [step] })

it('gives back what was saved', () => {
  expect(read(PLAN)).toEqual(PLAN)
})

it.each([
  ['null', null],
  ['a list', []],
  ['another kind', { ...PLAN, kind: 'Run' }],
  ['another version', { ...PLAN, apiVersion: 'fleetctl/v2' }],
  ['no steps', { ...PLAN, steps: undefined }],
  ['no gates', { ...PLAN, gates: 'none' }],
  ['no target', { ...PLAN, target: null }],
  ['a step that is none', withStep(7)],
  ['a step of another type', withStep({ ...STEP, type: 'exec' })],
  ['a wait for nothing', withStep({ number: 1, type: 'wait' })],
  ['a step without a precondition', withStep({ ...STEP, precondition: undefined })],
  ['another object than is shown', withStep({ ...STEP, subject: { ...STEP.subject, name: 'other' } })],
  ['another namespace than is shown', withStep({ ...STEP, subject: { ...STEP.subject, namespace: 'other' } })],
  ['a kind that nobody knows', withStep({ ...STEP, manifest: { ...STEP.manifest, kind: 'Pudding' } })],
  [
    'a Secret',
    withStep({
      ...STEP,
      manifest: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'demo' } },
      subject: { ...STEP.subject, kind: 'Secret' },
    }),
  ],
])('%s is no plan, and says so in one line that names the file', (_, value) => {
  expect(() => read(value)).toThrow(UsageError)
  expect(() => read(value)).toThrow(/^plan\.json is no [^\n]*$/)
})

it('what is not JSON is no plan', () => {
  expect(() => readPlan('kind: Plan', 'plan.json')).toThrow('plan.json is no plan: it is not JSON')
})
