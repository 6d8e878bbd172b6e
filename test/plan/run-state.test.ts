import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findRun, Journal } from '../../src/plan/journal.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { readPlan } from '../../src/plan/read-plan.ts'
import { runState, supersede } from '../../src/plan/run-state.ts'

/** A plan of which only the command and the hub matter. */
const planFor = (command: readonly string[], hub: string, name = 'lab'): Plan => ({
  ...readPlan(
    JSON.stringify({ apiVersion: 'fleetctl/v1', kind: 'Plan', target: {}, steps: [], gates: [] }),
    'plan.json',
  ),
  command,
  target: { type: 'live', name, hub },
})
const PUSH = ['bootstrap', 'push', '--set', 'demo']

let folder: string
let clock: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetctl-runs-'))
  clock = Date.UTC(2026, 10, 30)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const now = (): Date => new Date(clock++)
const begin = (id: string, plan = planFor(PUSH, 'uid')): Journal => Journal.begin(folder, id, plan, '', now)
const stateOf = (id: string): string => runState(findRun(folder, id))

describe('the state of a run', () => {
  it('is interrupted until it is done', () => {
    const journal = begin('a')
    journal.intent(1, null)
    expect(stateOf('a')).toBe('interrupted')
    journal.done()
    expect(stateOf('a')).toBe('done')
  })

  it('is reverted only when every step that was begun has been taken back', () => {
    const journal = begin('a')
    journal.intent(1, null)
    journal.intent(2, null)
    journal.done()
    // The first write of the revert may be done before it is noted.
    journal.reverting()
    expect(stateOf('a')).toBe('half-reverted')
    journal.reverted(2, 'deleted')
    expect(stateOf('a')).toBe('half-reverted')
    journal.reverted(1, 'failed')
    expect(stateOf('a')).toBe('half-reverted')
    journal.reverted(1, 'left')
    expect(stateOf('a')).toBe('reverted')
  })
})

describe('a run of the same command that is carried out wholly', () => {
  it('supersedes those that stopped, and names those that had written', () => {
    begin('a').intent(1, null)
    begin('b')
    begin('c').done()
    expect(supersede(folder, planFor(PUSH, 'uid'), 'c', now)).toEqual(['a'])
    expect(['a', 'b', 'c'].map(stateOf)).toEqual(['superseded', 'superseded', 'done'])
    expect(findRun(folder, 'a').supersededBy).toBe('c')
    expect(supersede(folder, planFor(PUSH, 'uid'), '', now)).toEqual([])
  })

  it('leaves those of other commands and of other hubs', () => {
    begin('a', planFor(PUSH, 'other'))
    begin('b', planFor([...PUSH, '--sync', 'manual'], 'uid'))
    begin('c', planFor(PUSH, '', 'else'))
    expect(supersede(folder, planFor(PUSH, 'uid'), '', now)).toEqual([])
    expect(supersede(folder, planFor(PUSH, ''), '', now)).toEqual([])
    expect(['a', 'b', 'c'].map(stateOf)).toEqual(['interrupted', 'interrupted', 'interrupted'])
  })
})
