import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { normalizeArguments } from '../../src/commands/arguments.ts'
import { parseDuration } from '../../src/commands/duration.ts'
import type { DoctorOptions } from '../../src/doctor.ts'
import { EXIT } from '../../src/errors.ts'
import type { OpenPathOptions } from '../../src/source/open.ts'
import type { AppRef } from '../../src/trace/find.ts'
import { BROKEN, chain, FINDING, LIST, report, UNKNOWN } from '../output/samples.ts'
import { doctorOf, runCli, SOURCE, traceOf } from './run-cli.ts'

/** Runs `doctor` and returns what the engine was asked. */
async function asked(argv: string[], env: Record<string, string> = {}) {
  let opened: [string, OpenPathOptions] | undefined
  let options: DoctorOptions | undefined
  const outcome = await runCli(['doctor', ...argv], {
    env,
    engine: {
      openPath: async (path, open) => {
        opened = [path, open]
        return SOURCE
      },
      runDoctor: async (_, given) => {
        options = given
        return report()
      },
    },
  })
  const { signal, ...rest } = options ?? {}
  return { ...outcome, opened, options: rest, listens: signal instanceof AbortSignal }
}

describe('doctor', () => {
  test('asks for all checks when nothing is said', async () => {
    expect(await asked(['--from', 'x'])).toMatchObject({ opened: ['x', {}], options: {}, listens: true })
  })

  test('hands on which checks, as codes', async () => {
    const { options } = await asked([
      '--from=x',
      '--checks=FLT01*,token-expired',
      '--skip',
      'flt0103',
      '--category',
      'selection',
      '--category=registration',
      '--ignore=clusterset-binding-missing:*/Placement/staging-*,FLT0201',
    ])
    expect(options).toEqual({
      checks: ['FLT0102', 'FLT0103', 'FLT0201'],
      skip: ['FLT0103'],
      categories: ['registration', 'selection'],
      ignore: ['FLT0102:*/Placement/staging-*', 'FLT0201'],
    })
  })

  test('names the hub, and opens stdin only for -', async () => {
    expect((await asked(['--from', 'x', '--hub', 'acm'])).opened).toEqual(['x', { hub: 'acm' }])
    expect(Object.keys((await asked(['--from', '-'])).opened?.[1] ?? {})).toEqual(['stdin'])
  })

  test('common flags may stand before the command', async () => {
    expect((await asked(['--checks', 'FLT0102', '--from', 'x'])).options).toEqual({ checks: ['FLT0102'] })
    expect(await runCli(['--from', 'x', '-o', 'json', 'doctor'])).toEqual(
      await runCli(['doctor', '--from', 'x', '-o', 'json']),
    )
  })
})

describe('the environment', () => {
  test('sets any flag, and a flag beats it', async () => {
    const env = { FLEETCTL_FROM: 'there', FLEETCTL_CHECKS: 'FLT0102,FLT0103', FLEETCTL_HUB: 'acm' }
    expect(await asked([], env)).toMatchObject({
      opened: ['there', { hub: 'acm' }],
      options: { checks: ['FLT0102', 'FLT0103'] },
    })
    expect((await asked(['--from', 'here', '--checks', 'FLT0201'], env)).opened?.[0]).toBe('here')
  })

  test('sets flags without a value by yes and no', async () => {
    const unknown = doctorOf(report({ unknown: [UNKNOWN] }))
    const code = async (value: string) =>
      (await runCli(['doctor', '--from', 'x'], { ...unknown, env: { FLEETCTL_ALLOW_INCOMPLETE: value } })).code
    expect(await Promise.all(['true', '1', 'yes', 'false', '0', ''].map(code))).toEqual([0, 0, 0, 3, 3, 3])
    expect(await runCli(['doctor', '--from', 'x'], { env: { FLEETCTL_NO_HEADERS: 'maybe' } })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: invalid value "maybe" for --no-headers: expected true or false (from FLEETCTL_NO_HEADERS)\n',
    })
  })

  test('negated flags, lists and formats', async () => {
    const headers = await runCli(['doctor', '--from', 'x'], { env: { FLEETCTL_NO_HEADERS: 'true' } })
    expect(headers.stdout).not.toContain('CATEGORY')
    const json = await runCli(['doctor', '--from', 'x'], { env: { FLEETCTL_OUTPUT: 'json' } })
    expect(JSON.parse(json.stdout).kind).toBe('DoctorReport')
  })

  test('an invalid value names the variable', async () => {
    expect((await runCli(['doctor', '--from', 'x'], { env: { FLEETCTL_FAIL_ON: 'fatal' } })).stderr).toBe(
      'error: invalid value "fatal" for --fail-on: expected error, warning or info (from FLEETCTL_FAIL_ON)\n',
    )
  })

  test('FLEETCTL_VERSION, which install scripts set, is no flag', async () => {
    expect((await runCli(['doctor', '--from', 'x'], { env: { FLEETCTL_VERSION: '1' } })).stdout).toContain('CATEGORY')
  })
})

describe('trace', () => {
  async function refs(argv: string[]): Promise<AppRef[]> {
    const seen: AppRef[] = []
    const engine = {
      traceApp: async (_: unknown, ref: AppRef) => {
        seen.push(ref)
        return BROKEN
      },
    }
    expect((await runCli(['trace', ...argv, '--from', 'x'], { engine })).stderr).toBe('')
    return seen
  }

  test.each([
    [['app', 'a'], [{ name: 'a' }]],
    [['app', 'ns/a'], [{ namespace: 'ns', name: 'a' }]],
    [['app', 'a', '-n', 'ns'], [{ namespace: 'ns', name: 'a' }]],
    [['app', 'a', '-n', 'ns', '-A'], [{ name: 'a' }]],
    [['app', 'app/a'], [{ name: 'a' }]],
    [['app', 'applications.argoproj.io/a'], [{ name: 'a' }]],
    [['app', 'applications.v1alpha1.argoproj.io/ns/a'], [{ namespace: 'ns', name: 'a' }]],
    [['app/a'], [{ name: 'a' }]],
    [['Application/ns/a'], [{ namespace: 'ns', name: 'a' }]],
    [['application', 'a'], [{ name: 'a' }]],
    [
      ['apps', 'a', 'ns/b'],
      [{ name: 'a' }, { namespace: 'ns', name: 'b' }],
    ],
    [['app', 'a', '--spoke', 'bm', '--spoke=sno'], [{ name: 'a', spokes: ['bm', 'sno'] }]],
  ])('%j', async (argv, expected) => {
    expect(await refs(argv)).toEqual(expected)
  })

  test('appset and cluster take KIND/NAME too', async () => {
    const seen: unknown[] = []
    const engine = {
      traceAppSet: async (_: unknown, ref: unknown) => {
        seen.push(ref)
        return LIST
      },
      traceCluster: async (_: unknown, name: string) => {
        seen.push(name)
        return LIST
      },
    }
    for (const argv of [
      ['appset/a'],
      ['applicationset', 'ns/a'],
      ['cluster/bm'],
      ['managedcluster', 'bm'],
      ['mcl', 'bm'],
    ]) {
      await runCli(['trace', ...argv, '--from', 'x'], { engine })
    }
    expect(seen).toEqual([{ name: 'a' }, { namespace: 'ns', name: 'a' }, 'bm', 'bm', 'bm'])
  })

  test('one Application is an ApplicationTrace, several are a List', async () => {
    const one = await runCli(['trace', 'app', 'a', '--from', 'x', '-o', 'json'])
    expect(JSON.parse(one.stdout).kind).toBe('ApplicationTrace')
    const two = JSON.parse((await runCli(['trace', 'app', 'a', 'b', '--from', 'x', '-o', 'json'])).stdout)
    expect([two.kind, two.items.length]).toEqual(['List', 2])
  })
})

describe('output to files', () => {
  test('several forms of one run; what is written is told on stderr, and not under -q', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'fleetctl-out-'))
    const setting = { ...doctorOf(report({ findings: [FINDING] })), cwd }
    const argv = ['doctor', '--from', 'x', '-o', 'short', '-o', 'junit=r.xml', '-o', 'json=r.json']
    const outcome = await runCli(argv, setting)
    expect(outcome.stdout).toMatch(/^Error FLT0102 /)
    expect(outcome.stderr).toBe('wrote junit to r.xml\nwrote json to r.json\n')
    expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')).findings[0].code).toBe('FLT0102')
    expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toContain('<failure ')
    expect(readdirSync(cwd).sort()).toEqual(['r.json', 'r.xml'])
    expect((await runCli([...argv, '-q'], setting)).stderr).toBe('')
  })

  test('a link keeps pointing where it did, and a file has no colours but on demand', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'fleetctl-out-'))
    writeFileSync(join(cwd, 'real'), 'old')
    symlinkSync(join(cwd, 'real'), join(cwd, 'link'))
    const setting = { ...doctorOf(report({ findings: [FINDING] })), cwd, terminal: true }
    await runCli(['doctor', '--from', 'x', '-o', 'text=link'], setting)
    expect(readFileSync(join(cwd, 'real'), 'utf8')).toContain('Error FLT0102')
    await runCli(['doctor', '--from', 'x', '-o', 'text=link', '--color=always'], setting)
    expect(readFileSync(join(cwd, 'real'), 'utf8')).toContain('\x1b[31mError')
    expect(readdirSync(cwd).sort()).toEqual(['link', 'real'])
  })

  test('FILE - is stdout', async () => {
    expect(JSON.parse((await runCli(['doctor', '--from', 'x', '-o', 'json=-'])).stdout).kind).toBe('DoctorReport')
  })
})

describe('terminal', () => {
  test('colour and 80 columns on a terminal only', async () => {
    const setting = traceOf(BROKEN)
    expect((await runCli(['trace', 'app', 'x', '--from', 'x'], { ...setting, terminal: true })).stdout).toContain(
      '\x1b[',
    )
    expect((await runCli(['trace', 'app', 'x', '--from', 'x'], setting)).stdout).not.toContain('\x1b[')
    const quiet = { ...setting, terminal: true, env: { NO_COLOR: '1' } }
    const narrow = (await runCli(['trace', 'app', 'x', '--from', 'x'], quiet)).stdout
    expect(Math.max(...narrow.split('\n').map(line => line.length))).toBeLessThanOrEqual(80)
  })

  test('symbols by locale, none under --no-emoji', async () => {
    const marks = async (argv: string[], env: Record<string, string>) =>
      /clusters +(\S+) /.exec((await runCli(['doctor', '--from', 'x', ...argv], { env })).stdout)?.[1]
    expect(await marks([], { LANG: 'C.UTF-8' })).toBe('✔')
    expect(await marks([], { LANG: 'C' })).toBe('+')
    expect(await marks(['--no-emoji'], { LANG: 'C.UTF-8' })).toBe('1')
  })
})

describe('time and signals', () => {
  const never = { runDoctor: () => new Promise<never>(() => {}) }

  test('--timeout ends a run that does not listen, with exit 5', async () => {
    expect(await runCli(['doctor', '--from', 'x', '--timeout', '20ms'], { engine: never })).toEqual({
      code: EXIT.timeout,
      stdout: '',
      stderr: 'error: the command took longer than --timeout 0.02s; nothing is reported\n',
    })
  })

  test('an interrupt ends it with 130', async () => {
    const { InterruptedError } = await import('../../src/errors.ts')
    const controller = new AbortController()
    const running = runCli(['doctor', '--from', 'x'], { engine: never, signal: controller.signal })
    setTimeout(() => controller.abort(new InterruptedError('SIGINT')), 10)
    expect(await running).toEqual({ code: 130, stdout: '', stderr: 'error: interrupted\n' })
  })

  test.each([
    ['30', 30_000],
    ['30s', 30_000],
    ['1h30m', 5_400_000],
    ['1.5m', 90_000],
    ['250ms', 250],
    ['0', 0],
  ])('%s is %i milliseconds', (text, ms) => {
    expect(parseDuration(text, '--timeout')).toBe(ms)
  })
})

describe('an internal error', () => {
  const broken = {
    runDoctor: async () => {
      throw new TypeError('x is not\na function')
    },
  }

  test('is one line with the path of a report, exit 70; the stack is in the file', async () => {
    const state = mkdtempSync(join(tmpdir(), 'fleetctl-state-'))
    const setting = { engine: broken, env: { XDG_STATE_HOME: state } }
    const { code, stdout, stderr } = await runCli(['doctor', '--from', '/secret/path'], setting)
    expect([code, stdout]).toEqual([70, ''])
    const path = /^error: internal error: x is not a function \(report: (.*)\)\n$/.exec(stderr)?.[1] ?? ''
    expect(path.startsWith(state)).toBe(true)
    const text = readFileSync(path, 'utf8')
    expect(text).toContain('TypeError: x is not')
    expect(text).toMatch(/\n {4}at /)
    expect(text).not.toContain('/secret/path')
  })

  test('shows its stack only with -v', async () => {
    const setting = { engine: broken, env: { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'fleetctl-state-')) } }
    expect((await runCli(['doctor', '--from', 'x', '-v'], setting)).stderr).toMatch(/\n {4}at /)
    expect((await runCli(['doctor', '--from', 'x'], setting)).stderr).not.toMatch(/\n {4}at /)
  })
})

describe('-v', () => {
  test.each([
    [
      ['-v', 'doctor'],
      ['--verbose=1', 'doctor'],
    ],
    [
      ['doctor', '-v'],
      ['doctor', '--verbose=1'],
    ],
    [
      ['doctor', '-v', '4'],
      ['doctor', '--verbose=4'],
    ],
    [
      ['doctor', '-v=6'],
      ['doctor', '-v=6'],
    ],
    [
      ['trace', '--', '-v'],
      ['trace', '--', '-v'],
    ],
    [
      ['trace', 'app/x'],
      ['trace', 'app', 'x'],
    ],
    [
      ['trace', 'ns/x'],
      ['trace', 'ns/x'],
    ],
    [
      ['-o', 'json', 'trace', 'mcl/x'],
      ['-o', 'json', 'trace', 'cluster', 'x'],
    ],
  ])('%j is read as %j', (argv, normal) => {
    expect(normalizeArguments(argv)).toEqual(normal)
  })

  test.each([['-v'], ['-v=4'], ['-v4'], ['--verbose']])('%s says on stderr what goes on', async flag => {
    const { code, stderr } = await runCli(['doctor', flag, '--from', 'lab'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Reading lab\n' })
  })

  test('-q says nothing', async () => {
    expect((await runCli(['doctor', '-v', '-q', '--from', 'lab'])).stderr).toBe('')
  })
})

test('--no-input is taken', async () => {
  expect((await runCli(['trace', 'app', 'x', '--from', 'x', '--no-input'], traceOf(chain('ok')))).code).toBe(0)
})
