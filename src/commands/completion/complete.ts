import type { Command } from 'commander'
import { CATEGORIES } from '../../checks/check.ts'
import type { Context } from '../../context.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { AGENT_STATUS_VIEW, AGENT_VERIFICATION_VIEW } from '../../output/agent-views.ts'
import { SCHEMA_KINDS } from '../../output/schema/schemas.ts'
import { GENERAL_FORMS } from '../../output/view.ts'
import { DOCTOR_VIEW, TRACE_LIST_VIEW, TRACE_VIEW, WAIT_VIEW } from '../../output/views.ts'
import { writeStream } from '../../output/write.ts'
import { GOALS, WAIT_KINDS, waitKindOf } from '../../wait/goals.ts'
import type { Engine } from '../deps.ts'
import { namesOf } from './names.ts'
import { locate, optionsOf, type Place } from './words.ts'

/** Longer than this and the answer comes too late to be of use. */
const LIMIT_MS = 250

const NO_FILES = 4
const FILES = 0

interface Answer {
  readonly candidates: readonly string[]
  readonly files?: boolean
}

/** `fleetctl __complete WORD...`: candidates for the last word. Never an error, never a word on stderr. */
export async function complete(program: Command, context: Context, engine: Engine): Promise<ExitCode> {
  const place = locate(program, context.argv.slice(1))
  let answer: Answer = { candidates: [] }
  try {
    answer = await inTime(candidatesAt(place, context, engine))
  } catch {
    // No candidates are better than an error in the middle of a command line.
  }
  const lines = answer.candidates
    .filter(candidate => candidate.startsWith(place.typed))
    .map(candidate => `${place.prefix}${candidate}\n`)
  await writeStream(context.stdout, `${lines.join('')}:${answer.files === true ? FILES : NO_FILES}\n`)
  return EXIT.ok
}

async function inTime(work: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Answer>(resolve => {
    timer = setTimeout(() => resolve({ candidates: [] }), LIMIT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function candidatesAt(place: Place, context: Context, engine: Engine): Promise<Answer> {
  const { command, option, typed } = place
  if (option !== undefined) return valuesOf(option.long ?? '', place, context, engine)
  if (typed.startsWith('-')) {
    return { candidates: optionsOf(command).flatMap(o => (o.hidden ? [] : (o.long ?? []))) }
  }
  const commands = place.args.length === 0 ? command.commands.map(c => c.name()) : []
  const names = await argumentsOf(place, context, engine)
  return { candidates: [...commands, ...names] }
}

async function argumentsOf(place: Place, context: Context, engine: Engine): Promise<readonly string[]> {
  const { command, args, values } = place
  if (args.length > 0 && command.registeredArguments.at(-1)?.variadic !== true) return []
  const from = values.get('--from') ?? context.env.FLEETCTL_FROM
  switch (command.name()) {
    case 'app':
      return namesOf(engine, 'Application', from)
    case 'appset':
      return namesOf(engine, 'ApplicationSet', from)
    case 'cluster':
      return namesOf(engine, 'ManagedCluster', from)
    case 'wait':
      return waitable(args, engine, from)
    case 'explain':
    case 'fix':
      return (await engine.checks()).map(check => check.code).filter(code => !args.includes(code))
    case 'schema':
      return SCHEMA_KINDS
    case 'completion':
      return ['bash', 'zsh', 'fish', 'powershell']
    case 'help':
      return (command.parent?.commands ?? []).map(c => c.name())
    default:
      return []
  }
}

/** First what can be waited for, then the names of that. */
async function waitable(args: readonly string[], engine: Engine, from: string | undefined): Promise<readonly string[]> {
  const [kind] = args
  if (kind === undefined) return WAIT_KINDS
  const of = {
    app: 'Application',
    appset: 'ApplicationSet',
    placement: 'Placement',
    gitopscluster: 'GitOpsCluster',
  } as const
  const name = waitKindOf(kind)
  return name === undefined || name === 'fleet' ? [] : namesOf(engine, of[name], from)
}

async function valuesOf(flag: string, place: Place, context: Context, engine: Engine): Promise<Answer> {
  switch (flag) {
    case '--from':
    case '--hub':
    case '--baseline':
    case '--write-baseline':
      return { candidates: [], files: true }
    case '--for':
      return {
        candidates:
          place.command.name() === 'wait' ? Object.keys(GOALS[waitKindOf(place.args[0] ?? '') ?? 'fleet']) : [],
      }
    case '--color':
      return { candidates: ['auto', 'always', 'never'] }
    case '--fail-on':
      return { candidates: ['error', 'warning', 'info'] }
    case '--category':
      return { candidates: CATEGORIES }
    case '--checks':
    case '--skip':
    case '--ignore':
      return { candidates: (await engine.checks()).map(check => check.code) }
    case '--output':
      return { candidates: formats(place.command.name()) }
    case '--spoke':
      return {
        candidates: await namesOf(engine, 'ManagedCluster', place.values.get('--from') ?? context.env.FLEETCTL_FROM),
      }
    default:
      return { candidates: [] }
  }
}

function formats(command: string): string[] {
  const views: Readonly<Record<string, { readonly forms: object }>> = {
    doctor: DOCTOR_VIEW,
    app: TRACE_VIEW,
    appset: TRACE_LIST_VIEW,
    cluster: TRACE_LIST_VIEW,
    wait: WAIT_VIEW,
    status: AGENT_STATUS_VIEW,
    verify: AGENT_VERIFICATION_VIEW,
  }
  return [...Object.keys(views[command]?.forms ?? { text: true }), ...GENERAL_FORMS]
}
