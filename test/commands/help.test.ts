import { describe, expect, test } from 'vitest'
import { commandName } from '../../src/context.ts'
import { runCli } from './run-cli.ts'
import { TOP_LEVEL } from './top-level.ts'

const COMMANDS = [
  ['doctor'],
  ['doctor', 'list'],
  ['trace'],
  ['trace', 'app'],
  ['trace', 'appset'],
  ['trace', 'cluster'],
  ['rbac'],
  ['rbac', 'can-i'],
  ['agent'],
  ...['plan', 'enable', 'revert', 'appset', 'add', 'remove', 'rotate-certs'].map(name => ['agent', name]),
  ['agent', 'status'],
  ['agent', 'verify'],
  ['bootstrap'],
  ...['push', 'pull', 'agent', 'clusterset', 'binding', 'placement', 'gitopscluster', 'appset', 'rbac'].map(name => [
    'bootstrap',
    name,
  ]),
  ['bootstrap', 'spoke-gitops'],
  ['bootstrap', 'verify'],
  ['wait'],
  ['placement'],
  ['placement', 'explain'],
  ['apply'],
  ['plan'],
  ['plan', 'list'],
  ['plan', 'show'],
  ['plan', 'revert'],
  ['snapshot'],
  ['diff'],
  ['explain'],
  ['config'],
  ['config', 'view'],
  ['schema'],
  ['version'],
  ['completion'],
]

describe('help', () => {
  test('no command: help on stdout, exit 0', async () => {
    const bare = await runCli([])
    expect(bare).toMatchObject({ code: 0, stderr: '' })
    expect(bare.stdout).toMatch(/^Usage: fleetctl \[flags\] \[command\]\n/)
    for (const argv of [['--help'], ['-h'], ['help']]) expect(await runCli(argv)).toEqual(bare)
  })

  test('lists every command with a short text that starts with a verb and has no period', async () => {
    const { stdout } = await runCli(['--help'])
    const listed = stdout.slice(stdout.indexOf('Commands:')).split('\n').slice(1)
    const shorts = listed.flatMap(line => /^ {2}(\w+) {2,}(.*)$/.exec(line)?.slice(1, 3) ?? [])
    expect(shorts.filter((_, i) => i % 2 === 0)).toEqual(TOP_LEVEL)
    for (const short of shorts.filter((_, i) => i % 2 === 1)) expect(short).toMatch(/^[a-z].*[^.]$/)
  })

  test.each(COMMANDS)('%s %s has sentences, examples, exit codes and permissions', async (...words) => {
    const argv = words.filter(word => word !== undefined)
    const { code, stdout, stderr } = await runCli([...argv, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: fleetctl ${argv.join(' ')} \\[flags\\]`))
    const examples = stdout
      .slice(stdout.indexOf('Examples:'), stdout.indexOf('Exit codes:'))
      .match(/^ {2}# .*\n {2}fleetctl /gm)
    expect(examples?.length).toBeGreaterThanOrEqual(3)
    expect(examples?.length).toBeLessThanOrEqual(6)
    expect(stdout).toMatch(/Exit codes:\n {2}0 {2}/)
    expect(stdout).toMatch(/\nPermissions: .*\.\n/)
    expect(await runCli(['help', ...argv])).toEqual({ code, stdout, stderr })
  })

  test.each([['trace'], ['placement'], ['plan']])('a group without a command prints its help', async group => {
    expect(await runCli([group])).toEqual(await runCli([group, '--help']))
  })

  test('a plugin of kubectl is called what the user calls it', async () => {
    expect((await runCli(['trace', 'app', '--help'], { command: 'kubectl fleetctl' })).stdout).toMatch(
      /^Usage: kubectl fleetctl trace app \[flags\] <name\.\.\.>\n[\s\S]*\n {2}kubectl fleetctl trace app branding-bm/,
    )
    expect((await runCli(['docter'], { command: 'oc fleetctl' })).stderr).toContain('for "oc fleetctl"')
  })

  test.each([
    ['/usr/bin/fleetctl', 'fleetctl'],
    ['/usr/bin/kubectl-fleetctl', 'kubectl fleetctl'],
    ['/usr/bin/oc-fleetctl', 'oc fleetctl'],
    ['/usr/bin/kubectl_complete-fleetctl', 'kubectl fleetctl'],
    ['C:\\bin\\kubectl-fleetctl.js', 'kubectl fleetctl'],
    ['/src/bin/fleetctl.js', 'fleetctl'],
    [undefined, 'fleetctl'],
  ])('%s is %s', (script, name) => {
    expect(commandName(script)).toBe(name)
  })
})
