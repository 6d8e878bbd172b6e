import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { runCli } from './run-cli.ts'
import { TOP_LEVEL } from './top-level.ts'

async function complete(...words: string[]): Promise<{ candidates: string[]; directive: string }> {
  const { code, stdout, stderr } = await runCli(['__complete', ...words])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  return { candidates: lines.slice(0, -1), directive: lines.at(-1) ?? '' }
}

describe('candidates', () => {
  test.each([
    [[''], TOP_LEVEL],
    [['do'], ['doctor']],
    [
      ['doctor', ''],
      ['fix', 'list'],
    ],
    [
      ['wait', ''],
      ['app', 'appset', 'placement', 'gitopscluster', 'fleet'],
    ],
    [
      ['wait', 'placement', 'x', '--for', 'r'],
      ['ready', 'registered'],
    ],
    [
      ['trace', 'a'],
      ['app', 'appset'],
    ],
    [['doctor', '--fail'], ['--fail-on']],
    [
      ['doctor', '--fail-on', ''],
      ['error', 'warning', 'info'],
    ],
    [['doctor', '--fail-on=w'], ['--fail-on=warning']],
    [
      ['doctor', '--color', 'a'],
      ['auto', 'always'],
    ],
    [
      ['doctor', '-o', 'j'],
      ['junit', 'json', 'jsonl', 'jsonpath', 'jsonpath-file'],
    ],
    [
      ['trace', 'app', 'x', '-o', 't'],
      ['text', 'tree'],
    ],
    [
      ['doctor', '--checks', 'FLT01'],
      ['FLT0102', 'FLT0103'],
    ],
    [
      ['explain', ''],
      ['FLT0201', 'FLT0102', 'FLT0103'],
    ],
    [
      ['explain', 'FLT0102', ''],
      ['FLT0201', 'FLT0103'],
    ],
    [['completion', 'z'], ['zsh']],
    [['schema', 'Doc'], ['DoctorReport']],
    [
      ['trace', 'app', '--from', 'x', ''],
      ['Application-alpha', 'Application-beta'],
    ],
    [['trace', 'app', '--from', 'x', 'Application-alpha', 'Application-b'], ['Application-beta']],
    [
      ['--from=x', 'trace', 'cluster', ''],
      ['ManagedCluster-alpha', 'ManagedCluster-beta'],
    ],
    [['trace', 'app', ''], []],
    [
      ['trace', 'app', '--from', 'x', '--spoke', ''],
      ['ManagedCluster-alpha', 'ManagedCluster-beta'],
    ],
    [['nothing', 'like', 'this', ''], []],
  ])('%j', async (words, candidates) => {
    expect((await complete(...words)).candidates).toEqual(candidates)
  })

  test('the codes of checks after doctor fix, one after another', async () => {
    const { candidates } = await complete('doctor', 'fix', 'FLT0102', 'FLT')
    expect(candidates.length).toBeGreaterThan(0)
    expect(candidates).toEqual((await complete('explain', 'FLT0102', 'FLT')).candidates)
    expect(candidates).not.toContain('FLT0102')
  })

  test('paths are left to the shell', async () => {
    expect(await complete('doctor', '--from', '')).toEqual({ candidates: [], directive: ':0' })
    expect((await complete('doctor', '')).directive).toBe(':4')
  })

  test('an error says nothing, and a slow source is not waited for', async () => {
    const engine = { openPath: () => new Promise<never>(() => {}) }
    const began = performance.now()
    expect(await runCli(['__complete', 'trace', 'app', '--from', 'x', ''], { engine })).toEqual({
      code: 0,
      stdout: ':4\n',
      stderr: '',
    })
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

describe('scripts', () => {
  test.each(['bash', 'zsh', 'fish', 'powershell'])('%s asks for candidates', async shell => {
    const { code, stdout } = await runCli(['completion', shell])
    expect(code).toBe(0)
    expect(stdout).toContain('__complete')
  })

  test('bash reads its script and offers what __complete prints', async () => {
    const { stdout: script } = await runCli(['completion', 'bash'])
    const shell = `${script}
fleetctl() { printf 'doctor\\nversion\\n:4\\n'; }
COMP_WORDS=(fleetctl do); COMP_CWORD=1; _fleetctl; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr, status } = spawnSync('bash', ['-c', shell], { encoding: 'utf8' })
    expect({ stdout, stderr, status }).toEqual({ stdout: 'doctor\n', stderr: '', status: 0 })
  })
})
