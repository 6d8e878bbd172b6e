import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built program as a child process, as a user runs it. */

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
export const BINARY = join(ROOT, 'bin', 'fleetctl.js')
export const METAFILE = join(ROOT, 'dist', 'metafile.json')

export const fleet = (name: string) => join(ROOT, 'test', 'fleets', `${name}.tgz`)

/** An environment without anything that changes the output. */
export const ENV: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8' }

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly input?: Buffer
}

/** Runs the binary to its end, without a terminal. */
export function fleetctl(argv: readonly string[], { env = {}, cwd = ROOT, input }: RunOptions = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...argv], {
    cwd,
    env: { ...ENV, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input }),
  })
  return { code: status, stdout, stderr }
}

/** Starts the binary with an open stdin and sends it a signal once it had time to begin reading. */
export function interrupted(argv: readonly string[], signal: NodeJS.Signals | undefined): Promise<Ended> {
  const child = spawn(process.execPath, [BINARY, ...argv], { cwd: ROOT, env: ENV, stdio: ['pipe', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stderr.on('data', chunk => {
    stderr += chunk
    // `-v` says when reading begins.
    if (signal !== undefined && String(chunk).startsWith('Reading')) setTimeout(() => child.kill(signal), 100)
  })
  return new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })))
}

/** Runs a line of bash with the binary as `$FLEETCTL`. */
export function shell(line: string, env: NodeJS.ProcessEnv = {}): Ended {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd: ROOT,
    env: { ...ENV, FLEETCTL: `${process.execPath} ${BINARY}`, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  })
  return { code: status, stdout, stderr }
}

/** @throws when dist/ is missing or older than the sources: the tests would say nothing about them. */
export function requireBuild(): void {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  const newest = Math.max(...sources.filter(e => e.isFile()).map(e => statSync(join(e.parentPath, e.name)).mtimeMs))
  if (existsSync(METAFILE) && statSync(METAFILE).mtimeMs >= newest) return
  throw new Error('dist/ is older than src/: run `npm run build` first (npm test does)')
}
