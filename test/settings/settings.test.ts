import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { variableOf } from '../../src/commands/environment.ts'
import { everyOption } from '../../src/commands/settings.ts'
import type { DoctorOptions } from '../../src/doctor.ts'
import { buildProgram } from '../../src/program.ts'
import { SETTABLE } from '../../src/settings/flags.ts'
import { CONFIG_SCHEMA } from '../../src/settings/schema.ts'
import { runCli, type Setting } from '../commands/run-cli.ts'
import { report, WARNING } from '../output/samples.ts'

const HEAD = 'apiVersion: fleetctl/v1\nkind: Config\n'
const SUPPRESSION = '- check: FLT0102\n  reason: known\n  owner: team\n  expires: 2027-01-31\n'

/** A repository with a folder inside, and a home: `repo/.git`, `repo/sub`, `home`. */
function places(files: Readonly<Record<string, string>>): {
  readonly root: string
  readonly env: Record<string, string>
} {
  const root = mkdtempSync(join(tmpdir(), 'fleetctl-settings-'))
  for (const folder of ['repo/.git', 'repo/sub', 'home']) mkdirSync(join(root, folder), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return { root, env: { HOME: join(root, 'home') } }
}

const flags = (lines: string) => `${HEAD}flags:\n${lines.replace(/^/gm, '  ')}\n`
const PROJECT = 'repo/.fleetctl.yaml'
const USER = 'home/.config/fleetctl/config.yaml'

async function inside(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  { cwd = 'repo/sub', ...setting }: Setting = {},
) {
  const { root, env } = places(files)
  return runCli(args, { ...setting, cwd: join(root, cwd), env: { ...env, ...setting.env } })
}

/** The options that doctor got. */
async function optionsOf(
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<DoctorOptions> {
  let got: DoctorOptions = {}
  const runDoctor = async (_: unknown, options: DoctorOptions) => {
    got = options
    return report()
  }
  const { stderr, code } = await inside(files, ['doctor', '--from', 'x', ...args], { engine: { runDoctor } })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return got
}

const WARNED: Setting = { engine: { runDoctor: async () => report({ findings: [WARNING] }) } }
const DOCTOR = ['doctor', '--from', 'x']

describe('precedence', () => {
  const user = flags('fail-on: info')
  const project = flags('fail-on: warning')
  const exits = async (files: Readonly<Record<string, string>>, args: string[] = [], env = {}) =>
    (await inside(files, [...DOCTOR, ...args], { ...WARNED, env })).code

  test('flag before environment before project before user before default', async () => {
    expect(await exits({})).toBe(0)
    expect(await exits({ [USER]: user })).toBe(1)
    expect(await exits({ [USER]: user, [PROJECT]: flags('fail-on: error') })).toBe(0)
    expect(await exits({ [PROJECT]: project })).toBe(1)
    expect(await exits({ [PROJECT]: project }, [], { FLEETCTL_FAIL_ON: 'error' })).toBe(0)
    expect(await exits({ [PROJECT]: project }, ['--fail-on', 'warning'], { FLEETCTL_FAIL_ON: 'error' })).toBe(1)
  })

  test('no in the environment is a word too', async () => {
    const files = { [PROJECT]: flags('no-headers: true') }
    expect((await inside(files, DOCTOR)).stdout).not.toContain('CATEGORY')
    expect((await inside(files, DOCTOR, { env: { FLEETCTL_NO_HEADERS: 'false' } })).stdout).toContain('CATEGORY')
  })

  test('XDG_CONFIG_HOME says where the user keeps settings, and the nearest project file wins', async () => {
    const files = {
      'xdg/fleetctl/config.yaml': user,
      'repo/sub/.fleetctl.yaml': project,
      [PROJECT]: flags('fail-on: error'),
    }
    const { root, env } = places(files)
    const code = async (cwd: string, more = {}) =>
      (await runCli(DOCTOR, { ...WARNED, cwd: join(root, cwd), env: { ...env, ...more } })).code
    expect(await code('home')).toBe(0)
    expect(await code('home', { XDG_CONFIG_HOME: join(root, 'xdg') })).toBe(1)
    expect(await code('repo/sub')).toBe(1)
    expect(await code('repo')).toBe(0)
  })

  test('what lies above the repository, or above a folder outside of one, is not the project', async () => {
    const bad = { '.fleetctl.yaml': 'no: settings\n' }
    expect((await inside(bad, DOCTOR)).code).toBe(0)
    expect((await inside(bad, DOCTOR, { cwd: 'home' })).code).toBe(0)
    expect((await inside(bad, DOCTOR, { cwd: '.' })).code).toBe(2)
  })

  test('lists, numbers and paths are as on the command line; paths are meant from the file', async () => {
    expect(await optionsOf({ [PROJECT]: flags('checks: [FLT0102, FLT0103]') })).toMatchObject({
      checks: ['FLT0102', 'FLT0103'],
    })
    const files = { [PROJECT]: flags('baseline: known.yaml'), 'repo/known.yaml': 'apiVersion: fleetctl/v2\n' }
    expect((await inside(files, DOCTOR)).stderr).toContain('known.yaml:1: apiVersion')
  })

  test('a context in a file does not stand against --from, nor a source in a file against --context', async () => {
    const open = {
      engine: {
        openLive: async () => ({
          type: 'live' as const,
          name: 'l',
          read: async () => ({ clusters: [], problems: [] }),
        }),
      },
    }
    expect((await inside({ [PROJECT]: flags('context: hub') }, DOCTOR)).code).toBe(0)
    expect((await inside({ [PROJECT]: flags('from: there') }, ['doctor', '--context', 'hub'], open)).code).toBe(0)
    expect((await inside({ [PROJECT]: flags('from: there'), [USER]: flags('context: hub') }, ['doctor'])).code).toBe(0)
  })
})

describe('what is refused, in one line with the place', () => {
  test.each([
    ['an unknown key', `${HEAD}flag:\n  a: 1\n`, ':3: unknown key "flag"'],
    ['an unknown flag', flags('fail-onn: error'), ':4: unknown key "flags.fail-onn"; did you mean "fail-on"?'],
    ['a decision of each call', flags('yes: true'), ':4: "flags.yes" cannot be set in a file'],
    ['what is accepted', flags('accept: a'), ':4: "flags.accept" cannot be set in a file'],
    ['a token', flags('token: abc'), ':4: "flags.token" cannot be set in a file'],
    ['a kubeconfig', flags('kubeconfig: k'), ':4: "flags.kubeconfig" decides who is trusted'],
    ['a server', flags('color: never\nserver: https://x'), ':5: "flags.server" decides who is trusted'],
    ['a file to write', flags('output: json=x'), ':4: "flags.output" of a project names a format only'],
    ['a wrong value', flags('fail-on: fatal'), 'invalid value "fatal" for --fail-on'],
    ['two for one', flags('fail-on: [error, info]'), '--fail-on takes one value'],
    ['no value', flags('fail-on: {}'), ':4: "flags.fail-on" must be a value'],
    ['a flag twice', flags('color: never\ncolor: always'), ':5: '],
    ['another version', 'apiVersion: v1\nkind: Config\n', ':1: apiVersion must be fleetctl/v1'],
    ['nothing', '', 'a Config must be a map'],
    ['no YAML', 'a: [\n', ':2: '],
    ['suppressions that are none', `${HEAD}suppressions: {}\n`, ':3: suppressions must be a list'],
    ['no owner', `${HEAD}suppressions:\n${SUPPRESSION.replace(/ {2}owner.*\n/, '')}`, ':4: a suppression needs owner'],
    [
      'no last day',
      `${HEAD}suppressions:\n${SUPPRESSION.replace(/ {2}expires.*\n/, '')}`,
      ':4: a suppression needs expires',
    ],
    [
      'a day that is none',
      `${HEAD}suppressions:\n${SUPPRESSION.replace('01-31', '02-30')}`,
      ':7: expires must be a day',
    ],
    ['an empty reason', `${HEAD}suppressions:\n${SUPPRESSION.replace('known', '""')}`, ':5: reason of a suppression'],
    ['another key of one', `${HEAD}suppressions:\n${SUPPRESSION.replace('owner', 'ownr')}`, ':6: unknown key "ownr"'],
    [
      'a check that is none',
      `${HEAD}suppressions:\n${SUPPRESSION.replace('FLT0102', 'nothing')}`,
      'no check is called "nothing"',
    ],
  ])('%s', async (_, text, says) => {
    const { code, stdout, stderr } = await inside({ [PROJECT]: text }, DOCTOR)
    expect(stderr).toContain(says)
    expect(stderr).toContain('.fleetctl.yaml')
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect([code, stdout]).toEqual([2, ''])
  })

  test('the value of a flag that this command does not have is checked all the same', async () => {
    expect((await inside({ [USER]: flags('fail-on: fatal') }, ['trace', 'app', 'x', '--from', 'x'])).code).toBe(2)
  })

  test('a mistake does not keep those from answering that read no cluster', async () => {
    for (const args of [
      ['version'],
      ['schema', 'Config'],
      ['completion', 'bash'],
      ['help'],
      ['--version'],
      ['doctor', '--help'],
    ])
      expect((await inside({ [PROJECT]: 'no: settings\n' }, args)).code, args.join(' ')).toBe(0)
  })

  test('the user may say whom to trust', async () => {
    const { stdout } = await inside({ [USER]: flags('kubeconfig: k.yaml') }, ['config', 'view'])
    expect(stdout).toContain('kubeconfig')
  })
})

describe('suppressions', () => {
  test('reach doctor with their codes and their place', async () => {
    const text = `${HEAD}suppressions:\n${SUPPRESSION.replace('FLT0102', 'token-expired')}  object: a/Secret/*\n`
    expect(await optionsOf({ [PROJECT]: text })).toMatchObject({
      suppressions: [
        {
          codes: ['FLT0201'],
          check: 'token-expired',
          object: 'a/Secret/*',
          cluster: '*',
          origin: '../.fleetctl.yaml:4',
        },
      ],
    })
  })
})

describe('config view', () => {
  const files = {
    [PROJECT]: `${flags('fail-on: warning\ncontext: hub')}suppressions:\n${SUPPRESSION}`,
    [USER]: flags('fail-on: info\ntimeout: 5m'),
  }

  test('says for each value where it is from', async () => {
    const env = { FLEETCTL_SPOKE: 'bm,sno', FLEETCTL_TOKEN: 'very-secret' }
    const { code, stdout } = await inside(files, ['config', 'view', '--show-origin', '--color', 'never'], { env })
    expect(code).toBe(0)
    expect(stdout.split('\n').map(line => line.split(/ {2,}/))).toEqual([
      ['FLAG', 'VALUE', 'ORIGIN'],
      ['color', 'never', 'flag (--color)'],
      ['context', 'hub', 'project (../.fleetctl.yaml:5)'],
      ['fail-on', 'warning', 'project (../.fleetctl.yaml:4)'],
      ['spoke', 'bm,sno', 'env (FLEETCTL_SPOKE)'],
      ['timeout', '5m', 'user (~/.config/fleetctl/config.yaml:5)'],
      ['token', '<set>', 'env (FLEETCTL_TOKEN)'],
      [''],
      ['CHECK', 'OBJECT', 'CLUSTER', 'OWNER', 'EXPIRES', 'ORIGIN', 'REASON'],
      ['FLT0102', '*', '*', 'team', '2027-01-31', 'project (../.fleetctl.yaml:7)', 'known'],
      [''],
    ])
    expect((await inside(files, ['config', 'view', '-o', 'json'], { env })).stdout).not.toContain('very-secret')
  })

  test('says so where nothing is set, and tells what is wrong with a file', async () => {
    expect((await inside({}, ['config', 'view'])).stdout).toBe('Nothing is set; every flag has its default.\n')
    expect((await inside({ [PROJECT]: 'a: 1\n' }, ['config', 'view'])).code).toBe(2)
  })
})

describe('the table of flags', () => {
  const { root } = places({})
  const program = buildProgram({
    context: {
      argv: ['doctor'],
      command: 'fleetctl',
      env: {},
      platform: 'linux',
      cwd: root,
      stdout: process.stdout,
      stderr: process.stderr,
      stdin: process.stdin,
      signal: new AbortController().signal,
    },
    engine: {
      openPath: () => Promise.reject(new Error()),
      openLive: () => Promise.reject(new Error()),
      runDoctor: () => Promise.reject(new Error()),
      traceApp: () => Promise.reject(new Error()),
      traceAppSet: () => Promise.reject(new Error()),
      traceCluster: () => Promise.reject(new Error()),
      checks: async () => [],
    },
    done: () => {},
  })
  const all = [...everyOption(program)]

  test('names flags that there are, and path values where flags take paths', () => {
    for (const [name, { path }] of Object.entries(SETTABLE)) {
      const option = all.find(o => o.long === `--${name}`)
      expect(option, name).toBeDefined()
      const placeholder = /[<[](.*)[>\]]/.exec(option?.flags ?? '')?.[1]
      expect([name, path === true]).toEqual([name, placeholder === 'file' || placeholder === 'path'])
      expect(variableOf(`--${name}`)).toMatch(/^FLEETCTL_[A-Z_]+$/)
    }
  })

  test('the schema takes what is read, and nothing else', () => {
    const validate = new Ajv2020({ strict: false }).compile({ ...CONFIG_SCHEMA })
    const good: unknown = parse(`${flags('fail-on: warning\nspoke: [a, b]\nquiet: true')}suppressions:\n${SUPPRESSION}`)
    expect(validate(good)).toBe(true)
    expect(validate(parse(flags('yes: true')))).toBe(false)
    expect(validate(parse(`${HEAD}more: 1\n`))).toBe(false)
    expect(validate(parse(`${HEAD}suppressions: [{check: FLT0102}]\n`))).toBe(false)
  })
})

test('nothing of a project file is written by reading it', async () => {
  const { root, env } = places({ [PROJECT]: flags('fail-on: warning') })
  await runCli(['config', 'view'], { cwd: join(root, 'repo'), env })
  expect(readFileSync(join(root, PROJECT), 'utf8')).toBe(flags('fail-on: warning'))
})
