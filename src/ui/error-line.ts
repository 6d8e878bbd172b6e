import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { FleetctlError } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import { oneLine } from '../output/sanitize.ts'
import { VERSION } from '../version.ts'

/** What stderr says of an error: one line. An error of fleetctl's own is written to a file with its stack; -v shows it. */
export async function explainError(error: unknown, context: Context): Promise<string> {
  const verbose = context.argv.some(arg => /^(-v\d?|-v=\d|--verbose(=\d)?)$/.test(arg))
  const stack = verbose ? `${stackOf(error)}\n` : ''
  if (error instanceof FleetctlError) return `error: ${oneLine(error.message)}\n${stack}`
  const path = await writeReport(error, context)
  const where = path === undefined ? 'no report could be written; run again with -v' : `report: ${path}`
  return `error: internal error: ${oneLine(messageOf(error))} (${where})\n${stack}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The stack with those of its causes. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.stack ?? error.message
  return error.cause === undefined ? own : `${own}\ncaused by: ${stackOf(error.cause)}`
}

/** Names of commands and flags only: a value may be secret. */
function withoutValues(argv: readonly string[]): string {
  return argv
    .map(arg => (arg.startsWith('-') ? arg.replace(/=.*$/s, '=...') : /^[a-z]+$/.test(arg) ? arg : '...'))
    .join(' ')
}

async function writeReport(error: unknown, context: Context): Promise<string | undefined> {
  const text = [
    `fleetctl ${VERSION}, node ${process.version}, ${process.platform} ${process.arch}`,
    `arguments: ${withoutValues(context.argv)}`,
    '',
    stackOf(error),
    '',
  ].join('\n')
  const name = `crash-${randomBytes(6).toString('hex')}.txt`
  for (const folder of reportFolders(context)) {
    try {
      makeFolder(folder, 0o700)
      const path = join(folder, name)
      await writeFile(path, text, { mode: 0o600, flag: 'wx' })
      return path
    } catch {
      // The next folder may take it.
    }
  }
  return undefined
}

function reportFolders({ env }: Context): string[] {
  const home = env.HOME ?? env.USERPROFILE
  const state = env.XDG_STATE_HOME ?? (home === undefined ? undefined : join(home, '.local', 'state'))
  return [...(state === undefined ? [] : [join(state, 'fleetctl')]), join(tmpdir(), 'fleetctl')]
}
