import { Readable } from 'node:stream'
import type { Check } from '../../src/checks/check.ts'
import type { DoctorReport } from '../../src/checks/report.ts'
import type { Engine } from '../../src/commands/deps.ts'
import type { Context, OutputStream } from '../../src/context.ts'
import { UsageError } from '../../src/errors.ts'
import { run } from '../../src/main.ts'
import type { FleetSource } from '../../src/source/source.ts'
import type { ApplicationTrace, TraceList } from '../../src/trace/trace.ts'
import { BROKEN, LIST, report } from '../output/samples.ts'

/** Runs a command line inside the test's process: streams, environment and engine are the test's. */

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Setting {
  readonly env?: Record<string, string>
  readonly command?: string
  readonly cwd?: string
  readonly terminal?: boolean
  readonly columns?: number
  readonly signal?: AbortSignal
  readonly engine?: Partial<Engine>
  readonly stdin?: string
}

function stream(into: string[], { terminal = false, columns = 80 }: Setting): OutputStream {
  return {
    ...(terminal ? { isTTY: true, columns } : {}),
    write(text, done) {
      into.push(text)
      done?.()
      return true
    },
  }
}

export async function runCli(argv: readonly string[], setting: Setting = {}): Promise<Outcome> {
  const stdout: string[] = []
  const stderr: string[] = []
  const context: Context = {
    argv,
    command: setting.command ?? 'fleetctl',
    env: setting.env ?? {},
    platform: 'linux',
    cwd: setting.cwd ?? process.cwd(),
    stdout: stream(stdout, setting),
    stderr: stream(stderr, {}),
    stdin: Readable.from(setting.stdin === undefined ? [] : [setting.stdin]),
    signal: setting.signal ?? new AbortController().signal,
  }
  const code = await run(context, { ...ENGINE, ...setting.engine })
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

export const SOURCE: FleetSource = {
  type: 'recording',
  name: 'lab',
  read: async (wanted, sink) => {
    for (const kind of wanted) {
      for (const name of ['beta', 'alpha'])
        sink.object('hub', kind, { metadata: { name: `${kind}-${name}` } }, 'x.yaml')
    }
    return { clusters: [], problems: [] }
  },
}

function check(code: string, slug: string, rest: Partial<Check>): Check {
  return {
    code,
    slug,
    title: `${slug} holds`,
    severity: 'error',
    category: 'selection',
    models: ['pull'],
    needs: { hub: ['Placement'] },
    docs: { why: `Why ${slug}.`, remedy: 'Mend it.', sources: ['push-pull 1.2'] },
    run: () => [],
    ...rest,
  }
}

export const CHECKS: readonly Check[] = [
  check('FLT0201', 'token-expired', { category: 'registration', severity: 'warning' }),
  check('FLT0102', 'clusterset-binding-missing', {}),
  check('FLT0103', 'placement-empty', { uses: { spoke: ['Application'] } }),
]

export const failing = (message: string) => async (): Promise<never> => {
  throw new UsageError(message)
}

/** An engine that has read a healthy fleet with one broken Application. */
const ENGINE: Engine = {
  openPath: async () => SOURCE,
  openLive: failing('no kubeconfig'),
  runDoctor: async () => report(),
  traceApp: async () => BROKEN,
  traceAppSet: async () => LIST,
  traceCluster: async () => ({ ...LIST, kind: 'ClusterTrace' }),
  checks: async () => CHECKS,
}

export const doctorOf = (document: DoctorReport): Setting => ({ engine: { runDoctor: async () => document } })
export const traceOf = (document: ApplicationTrace): Setting => ({ engine: { traceApp: async () => document } })
export const listOf = (document: TraceList): Setting => ({
  engine: { traceAppSet: async () => document, traceCluster: async () => document },
})
