import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/errors.ts'
import { findRun, Journal, journalFolder, listRuns, runId } from '../../src/plan/journal.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { readPlan } from '../../src/plan/read-plan.ts'

const PLAN: Plan = readPlan(
  JSON.stringify({ apiVersion: 'fleetctl/v1', kind: 'Plan', target: {}, steps: [], gates: [] }),
  'plan.json',
)

let home: string
let folder: string
let clock: number
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fleetctl-journal-'))
  folder = join(home, 'fleetctl', 'plans')
  clock = Date.UTC(2026, 10, 30)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const now = (): Date => new Date(clock++)
const begin = (id: string): Journal => Journal.begin(folder, id, PLAN, 'hub', now)

describe('a journal', () => {
  it('is for its owner only, folder and file', () => {
    const { path } = begin('a')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('tells what was before the first attempt, and what came of the last', () => {
    const journal = begin('a')
    journal.intent(1, null)
    journal.failed(1, 'the hub is gone')
    journal.intent(1, { uid: 'u', changes: [] })
    journal.written(1, 'configured', 'u')
    journal.done()
    const run = findRun(folder, 'a')
    expect(run).toMatchObject({ id: 'a', context: 'hub', isDone: true, startedAt: '2026-11-30T00:00:00.000Z' })
    expect(run.before.get(1)).toBeNull()
    expect(run.written.get(1)).toEqual({ outcome: 'configured', uid: 'u' })
  })

  it('survives a last line that was not finished, and what is added behind it', () => {
    const first = begin('a')
    first.intent(1, null)
    first.close()
    appendFileSync(first.path, '{"entry":"intent","at":"2026-11')
    expect([...findRun(folder, 'a').before.keys()]).toEqual([1])
    const second = Journal.resume(folder, 'a', now)
    second.intent(2, null)
    second.close()
    expect([...findRun(folder, 'a').before.keys()]).toEqual([1, 2])
  })

  it('is never written over', () => {
    const { path } = begin('a')
    const text = readFileSync(path, 'utf8')
    expect(() => begin('a')).toThrow(expect.objectContaining({ exitCode: EXIT.refused }))
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('that cannot be kept ends the run before a write, in one line', () => {
    writeFileSync(join(home, 'fleetctl'), '')
    expect(() => begin('a')).toThrow(/^cannot keep the journal [^\n]*nothing is written; set XDG_STATE_HOME$/)
  })

  it('that cannot be gone on with says so as a run that was left in part', () => {
    const journal = begin('a')
    journal.close()
    expect(() => journal.intent(1, null)).toThrow(expect.objectContaining({ exitCode: EXIT.partlyWritten }))
  })
})

describe('the list of runs', () => {
  it('is in order of time, not of ids, and leaves out what is no journal', () => {
    begin('20261130T000000Z-ff').close()
    begin('20261130T000000Z-00').close()
    writeFileSync(join(folder, 'notes.txt'), 'x')
    writeFileSync(join(folder, 'empty.jsonl'), '')
    writeFileSync(join(folder, 'other.jsonl'), '{"entry":"done"}\nnull\n')
    expect(listRuns(folder).map(run => run.id)).toEqual(['20261130T000000Z-ff', '20261130T000000Z-00'])
    expect(listRuns(join(folder, 'nowhere'))).toEqual([])
  })

  it('finds one by the beginning of its id, and never guesses', () => {
    begin('2026a').close()
    begin('2026b').close()
    expect(findRun(folder, '2026b').id).toBe('2026b')
    expect(() => findRun(folder, '2026')).toThrow('several runs begin with "2026": 2026a, 2026b')
    expect(() => findRun(folder, '2027')).toThrow('there is no run "2027"')
  })
})

it('ids sort by time and hold no character that a file name cannot have', () => {
  expect(runId(new Date('2026-11-30T15:41:06.789Z'), '1f3a')).toBe('20261130T154106Z-1f3a')
})

it.each([
  [{ XDG_STATE_HOME: '/s', HOME: '/h' }, '/s/fleetctl/plans'],
  [{ XDG_STATE_HOME: '', HOME: '/h' }, '/h/.local/state/fleetctl/plans'],
  [{ USERPROFILE: '/u' }, '/u/.local/state/fleetctl/plans'],
])('with %j journals are in %s', (env, expected) => {
  expect(journalFolder(env)).toBe(expected)
})

it('without a home there is no journal', () => {
  expect(() => journalFolder({})).toThrow('set XDG_STATE_HOME or HOME')
})
