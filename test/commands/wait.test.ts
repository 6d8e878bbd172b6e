import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { engine } from '../../src/commands/engine.ts'
import { timeless } from '../../src/commands/watching/same.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { FLEETS } from '../support/fleets.ts'
import { runCli } from './run-cli.ts'

const on = (fleet: string, ...argv: string[]) =>
  runCli(['wait', ...argv, '--from', join(FLEETS, `${fleet}.tgz`)], { engine })

describe('wait over a recording judges once', () => {
  test.each([
    ['pull-healthy', ['app', 'branding-bm'], 0, 'met'],
    ['pull-healthy', ['applications.argoproj.io/branding-bm', 'app/openshift-gitops/branding-sno'], 0, 'met'],
    ['pull-healthy', ['fleet'], 0, 'met'],
    ['pull-rbac-forbidden-retrying', ['app', 'branding-bm'], 1, 'not-met'],
    ['pull-rbac-forbidden-retrying', ['app', 'branding-bm', 'branding-sno', '--quorum', '50%'], 0, 'met'],
    ['pull-rbac-forbidden-retrying', ['appset', 'branding-pull', '--for', 'delivered=1'], 0, 'met'],
    ['pull-rbac-forbidden-retrying', ['appset', 'branding-pull', '--for', 'delivered=60%'], 1, 'not-met'],
    ['push-binding-deleted', ['appset', 'compliance-operator', '--for', 'ready'], 1, 'not-met'],
    ['pull-healthy', ['app', 'nothing'], 1, 'not-met'],
  ] as const)('%s: %j exits %d', async (fleet, argv, code, outcome) => {
    const json = await on(fleet, ...argv, '-o', 'json')
    const result = JSON.parse(json.stdout)
    expectSchema('WaitResult', result)
    expect({ code: json.code, outcome: result.outcome, how: result.how }).toEqual({ code, outcome, how: 'once' })
    for (const format of ['text', 'wide', 'yaml', 'jsonl', 'name', 'jsonpath={.met}', 'custom-columns=MET:.met']) {
      expect((await on(fleet, ...argv, '-o', format)).code, format).toBe(code)
    }
  })

  it('says in text what blocks, with its cause once', async () => {
    const { stdout } = await on('pull-rbac-forbidden-retrying', 'appset', 'branding-pull')
    const lines = stdout.split('\n')
    expect(lines[0]).toBe('appset branding-pull not healthy: 1 of 2')
    expect(lines[2]).toMatch(/^failed {2}openshift-gitops\/Application\/branding-bm {2}\(cluster bm, \d+s old\)$/)
    expect(stdout).toContain('may not create configmaps in default')
    expect(stdout).toContain('  More     fleetctl explain FLT0507')
  })
})

describe('usage errors of wait', () => {
  test.each([
    [['pod', 'x'], 'cannot wait for "pod": expected app, appset, placement, gitopscluster, fleet'],
    [['ap', 'x'], 'cannot wait for "ap"; did you mean "app"?'],
    [['app'], 'missing name: use "wait app NAME" or "wait app/NAME"'],
    [['fleet', 'x'], 'the fleet has no name: use "wait fleet"'],
    [['app/a', 'appset/b'], '"appset/b" is no app; one kind can be waited for at a time'],
    [['app', 'a/b/c'], '"a/b/c" is not [NAMESPACE/]NAME or app/NAME'],
    [['app', 'a/b', '-n', 'c'], 'two namespaces: "a/b" says a, --namespace says c'],
    [['app', 'a', '--for', 'ready'], '--for ready says nothing about app: expected healthy, synced, delivered'],
    [['app', 'a', '--grace', 'x'], 'invalid value "x" for --grace'],
    [['app', 'a', '--interval', '10ms'], 'invalid value "10ms" for --interval: expected 1s or more'],
    [
      ['app', 'a', '--from', 'x', '--fail-fast'],
      '--fail-fast is for waiting; a recording given by --from is judged once',
    ],
    [['app', 'a', '--from', 'x', '--grace', '1s'], '--grace is for waiting'],
  ])('wait %j', async (argv, message) => {
    const { code, stdout, stderr } = await runCli(['wait', ...argv])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`error: ${message}`)
  })

  test.each([
    [['doctor', '-w', '--from', 'x'], '-w watches live clusters; a recording given by --from does not change'],
    [['trace', 'app', 'a', '-w', '--from', 'x'], '-w watches live clusters'],
    [['doctor', '--interval', '5s', '--from', 'x'], '--interval goes with -w'],
  ])('%j', async (argv, message) => {
    const { code, stderr } = await runCli(argv)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('what counts as a change', () => {
  test.each([
    [
      { now: '2026-11-30T20:36:46Z', m: 'unknown for 7s' },
      { now: '2026-11-30T20:37:01.123Z', m: 'unknown for 22s' },
      true,
    ],
    [{ m: 'lasts 1h30m' }, { m: 'lasts 2d' }, true],
    [{ m: '2 selected' }, { m: '3 selected' }, false],
    [{ m: 'name-7s' }, { m: 'name-x' }, false],
  ])('%j and %j: same %s', (a, b, same) => expect(timeless(a) === timeless(b)).toBe(same))
})
