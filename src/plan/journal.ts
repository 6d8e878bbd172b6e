import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, FleetctlError, UsageError } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import { isObject } from '../raw.ts'
import type { FieldChange } from './diff.ts'
import type { Plan } from './plan.ts'

/**
 * What a run did, one JSON object a line, each on disk before what it announces is done. Whatever kills the process, the
 * journal says what was before, so that the run can be resumed or taken back.
 */
type Entry =
  /** First line: the plan, and how its hub is reached. */
  | { readonly entry: 'plan'; readonly at: string; readonly plan: Plan; readonly context: string }
  /** A write is about to be sent. `before` is null for an object that is not there. */
  | { readonly entry: 'intent'; readonly at: string; readonly step: number; readonly before: Before | null }
  | {
      readonly entry: 'written'
      readonly at: string
      readonly step: number
      readonly outcome: Outcome
      readonly uid: string
    }
  | { readonly entry: 'failed'; readonly at: string; readonly step: number; readonly message: string }
  | { readonly entry: 'done'; readonly at: string }
  /** The same command was run again and did the rest; `by` is empty where nothing was left to write. */
  | { readonly entry: 'superseded'; readonly at: string; readonly by: string }
  /** Taking the run back begins. */
  | { readonly entry: 'reverting'; readonly at: string }
  /** A step was taken back, wholly or in part. */
  | { readonly entry: 'reverted'; readonly at: string; readonly step: number; readonly outcome: string }
  /** The way back came to its end. */
  | { readonly entry: 'taken-back'; readonly at: string }

export type Outcome = 'created' | 'configured' | 'unchanged' | 'deleted'

/** Of an object that is there, only what a step changes: other fields, and whatever is secret, stay where they are. */
export interface Before {
  readonly uid: string
  readonly changes: readonly FieldChange[]
}

/** State of one run, as its journal tells it. */
export interface Run {
  readonly id: string
  readonly plan: Plan
  /** Context of the kubeconfig that the plan was applied with; empty for the current one. */
  readonly context: string
  readonly startedAt: string
  /** By step: what was before its first write. */
  readonly before: ReadonlyMap<number, Before | null>
  readonly written: ReadonlyMap<number, { readonly outcome: Outcome; readonly uid: string }>
  /** Somebody has begun to take it back. */
  readonly isReverting: boolean
  readonly reverted: ReadonlyMap<number, string>
  readonly failed: ReadonlyMap<number, string>
  readonly isDone: boolean
  /** The way back came to its end, too. */
  readonly isTakenBack: boolean
  /** Run that did the rest, empty for one without a journal; undefined where none did. */
  readonly supersededBy: string | undefined
}

/** Folder of the journals. @throws UsageError where there is no home to keep them in */
export function journalFolder(env: Readonly<Record<string, string | undefined>>): string {
  const home = env.HOME ?? env.USERPROFILE
  const state = env.XDG_STATE_HOME || (home === undefined ? undefined : join(home, '.local', 'state'))
  if (state === undefined) throw new UsageError('there is no place for the journal: set XDG_STATE_HOME or HOME')
  return join(state, 'fleetctl', 'plans')
}

/** `20261130T154106Z-1f3a`: sorts by time. */
export function runId(now: Date, random: string): string {
  return `${now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '')}-${random}`
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'it cannot be written'
}

/** What a run has done, line by line in a file that is written before each step and after it, so that a killed run can be taken back. */
export class Journal {
  readonly id: string
  readonly path: string
  readonly #file: number
  readonly #now: () => Date

  private constructor(id: string, path: string, file: number, now: () => Date) {
    this.id = id
    this.path = path
    this.#file = file
    this.#now = now
  }

  /** Begins a journal. @throws FleetctlError where it cannot be kept: then nothing may be written */
  static begin(folder: string, id: string, plan: Plan, context: string, now: () => Date): Journal {
    const journal = Journal.#open(folder, id, 'ax', now)
    journal.add({ entry: 'plan', at: now().toISOString(), plan, context })
    return journal
  }

  /** Goes on with a journal that is there. */
  static resume(folder: string, id: string, now: () => Date): Journal {
    const journal = Journal.#open(folder, id, 'a', now)
    // A line that a killed process did not finish must not swallow the next one.
    if (!readFileSync(journal.path, 'utf8').endsWith('\n')) journal.#append('\n')
    return journal
  }

  static #open(folder: string, id: string, flags: string, now: () => Date): Journal {
    const path = join(folder, `${id}.jsonl`)
    try {
      makeFolder(folder, 0o700)
      return new Journal(id, path, openSync(path, flags, 0o600), now)
    } catch (cause) {
      throw new FleetctlError(
        `cannot keep the journal ${path} (${codeOf(cause)}), and without it nothing is written; set XDG_STATE_HOME`,
        EXIT.refused,
        { cause },
      )
    }
  }

  /** Adds an entry, on disk when this returns. @throws FleetctlError where that fails: then no more may be written */
  add(entry: Entry): void {
    this.#append(`${JSON.stringify(entry)}\n`)
  }

  #append(text: string): void {
    try {
      writeFileSync(this.#file, text)
      fsyncSync(this.#file)
    } catch (cause) {
      throw new FleetctlError(
        `cannot go on with the journal ${this.path} (${codeOf(cause)}), and without it nothing is written; make room, then "fleetctl apply --resume ${this.id}"`,
        EXIT.partlyWritten,
        { cause },
      )
    }
  }

  intent(step: number, before: Before | null): void {
    this.add({ entry: 'intent', at: this.#now().toISOString(), step, before })
  }

  written(step: number, outcome: Outcome, uid: string): void {
    this.add({ entry: 'written', at: this.#now().toISOString(), step, outcome, uid })
  }

  failed(step: number, message: string): void {
    this.add({ entry: 'failed', at: this.#now().toISOString(), step, message })
  }

  reverting(): void {
    this.add({ entry: 'reverting', at: this.#now().toISOString() })
  }

  reverted(step: number, outcome: string): void {
    this.add({ entry: 'reverted', at: this.#now().toISOString(), step, outcome })
  }

  superseded(by: string): void {
    this.add({ entry: 'superseded', at: this.#now().toISOString(), by })
  }

  done(): void {
    this.add({ entry: 'done', at: this.#now().toISOString() })
  }

  takenBack(): void {
    this.add({ entry: 'taken-back', at: this.#now().toISOString() })
  }

  close(): void {
    closeSync(this.#file)
  }
}

function entriesOf(text: string): readonly Entry[] {
  return text.split('\n').flatMap((line): Entry[] => {
    if (line === '') return []
    try {
      const value: unknown = JSON.parse(line)
      // Only fleetctl writes these lines, and each is whole or not there.
      return isObject(value) && typeof value.entry === 'string' ? [value as Entry] : []
    } catch {
      // The last line of a process that was killed while writing it.
      return []
    }
  })
}

function runOf(id: string, entries: readonly Entry[]): Run | undefined {
  const [first] = entries
  if (first?.entry !== 'plan') return undefined
  const before = new Map<number, Before | null>()
  const written = new Map<number, { outcome: Outcome; uid: string }>()
  const reverted = new Map<number, string>()
  const failed = new Map<number, string>()
  let isDone = false
  let isTakenBack = false
  let isReverting = false
  let supersededBy: string | undefined
  for (const entry of entries) {
    // What was before is what the first attempt saw; a later one may have seen its result.
    if (entry.entry === 'intent' && !before.has(entry.step)) before.set(entry.step, entry.before)
    if (entry.entry === 'written') written.set(entry.step, { outcome: entry.outcome, uid: entry.uid })
    if (entry.entry === 'failed') failed.set(entry.step, entry.message)
    if (entry.entry === 'reverting') isReverting = true
    if (entry.entry === 'reverted') reverted.set(entry.step, entry.outcome)
    if (entry.entry === 'superseded') supersededBy = entry.by
    if (entry.entry === 'done') isDone = true
    if (entry.entry === 'taken-back') isTakenBack = true
  }
  return {
    id,
    plan: first.plan,
    context: first.context,
    startedAt: first.at,
    before,
    written,
    isReverting,
    reverted,
    failed,
    isDone,
    isTakenBack,
    supersededBy,
  }
}

/** All runs, oldest first; files that are no journals are left out. */
export function listRuns(folder: string): readonly Run[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  const runs = names
    .filter(name => name.endsWith('.jsonl'))
    .flatMap(name => runOf(name.slice(0, -'.jsonl'.length), entriesOf(readFileSync(join(folder, name), 'utf8'))) ?? [])
  // Ids tell seconds apart, and no less.
  return runs.sort((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : a.id < b.id ? -1 : 1))
}

/** One run by its id or a beginning of it. @throws UsageError where there is none, or several */
export function findRun(folder: string, id: string): Run {
  const runs = listRuns(folder).filter(run => run.id === id || run.id.startsWith(id))
  const [only, ...more] = runs
  if (only === undefined) throw new UsageError(`there is no run "${id}"; "fleetctl plan list" shows them`)
  if (more.length > 0 && only.id !== id) {
    throw new UsageError(`several runs begin with "${id}": ${runs.map(run => run.id).join(', ')}`)
  }
  return only
}
