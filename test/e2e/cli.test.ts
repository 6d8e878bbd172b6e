import { existsSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { BINARY, ENV, fleet, fleetctl, interrupted, ROOT, requireBuild, shell } from './binary.ts'

const HEALTHY = fleet('pull-healthy')
const BROKEN = fleet('pull-rbac-forbidden-retrying')
/** sno was not reachable while this one was recorded, which explains itself: what is unknown is not the point here. */
const version: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

beforeAll(requireBuild)

describe('the binary', () => {
  test('prints version and help on stdout alone', () => {
    expect(fleetctl(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    expect(fleetctl([])).toEqual(fleetctl(['--help']))
    expect(fleetctl([])).toMatchObject({ code: 0, stderr: '' })
  })

  test('tells a usage error in one line', () => {
    expect(fleetctl(['doctor', '--form', 'x'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: unknown flag --form for "fleetctl doctor"; did you mean "--from"?\n',
    })
  })

  test('runs as a plugin under the name of its link', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetctl-link-'))
    symlinkSync(BINARY, join(folder, 'kubectl-fleetctl'))
    expect(shell(`node ${folder}/kubectl-fleetctl trace --help`).stdout).toMatch(
      /^Usage: kubectl fleetctl trace \[flags\]/,
    )
  })

  test('completes for kubectl', () => {
    const { code, stdout, stderr } = shell('node bin/kubectl-complete.js doctor --fail-on ""')
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'error\nwarning\ninfo\n:4\n', stderr: '' })
  })

  test('the binaries can be executed', () => {
    for (const file of ['bin/fleetctl.js', 'bin/kubectl-complete.js']) {
      expect(statSync(join(ROOT, file)).mode & 0o111).toBe(0o111)
      expect(readFileSync(join(ROOT, file), 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true)
    }
  })
})

describe('a recorded fleet', () => {
  const FORMATS = [
    'text',
    'wide',
    'short',
    'json',
    'yaml',
    'jsonl',
    'name',
    'junit',
    'jsonpath={.summary}',
    'custom-columns=C:.code',
  ]

  test.each(FORMATS)('has the same exit code as %s', format => {
    for (const [path, expected] of [
      [HEALTHY, 0],
      [BROKEN, 1],
    ] as const) {
      const { code, stdout, stderr } = fleetctl(['doctor', '--from', path, '-o', format])
      expect({ code, stderr }).toEqual({ code: expected, stderr: '' })
      if (format === 'json') expect(JSON.parse(stdout).kind).toBe('DoctorReport')
      expect(stdout).not.toContain('\x1b')
    }
  })

  test('comes through stdin and through the environment just the same', () => {
    const findings = (stdout: string) => JSON.parse(stdout).findings
    const byPath = fleetctl(['doctor', '--from', BROKEN, '-o', 'json'])
    const byStdin = fleetctl(['doctor', '--from', '-', '-o', 'json'], { input: readFileSync(BROKEN) })
    const byEnv = fleetctl(['doctor'], { env: { FLEETCTL_FROM: BROKEN, FLEETCTL_OUTPUT: 'json' } })
    expect(findings(byPath.stdout)).not.toEqual([])
    expect(findings(byStdin.stdout)).toEqual(findings(byPath.stdout))
    expect(findings(byEnv.stdout)).toEqual(findings(byPath.stdout))
  })

  test('says the same twice', () => {
    const strip = (stdout: string) => stdout.replaceAll(/"(started|finished)At": "[^"]*"/g, '')
    const [one, two] = [1, 2].map(() => strip(fleetctl(['doctor', '--from', BROKEN, '-o', 'json']).stdout))
    expect(one).toBe(two)
    expect(fleetctl(['doctor', '--from', BROKEN, '-o', 'wide'])).toEqual(
      fleetctl(['doctor', '--from', BROKEN, '-o', 'wide']),
    )
  })

  test('gives no secret away, in any format at any verbosity', () => {
    const canary = /CANARY-|Q0FOQVJZL|NBTkFSWS|DQU5BUlkt/
    for (const format of FORMATS) {
      const { stdout, stderr } = fleetctl(['doctor', '--from', BROKEN, '-o', format, '-v=9', '--show-symptoms'])
      expect(stdout + stderr).not.toMatch(canary)
    }
  })
})

describe('a source that is none', () => {
  test.each(['json', 'text', 'jsonl'])(
    'is one line on stderr with -o %s, and a document on stdout where a script reads it',
    format => {
      const { code, stdout, stderr } = fleetctl(['doctor', '--from', '/no/such/fleet', '-o', format])
      expect(code).toBe(2)
      if (format === 'text') expect(stdout).toBe('')
      else expect(JSON.parse(stdout)).toMatchObject({ kind: 'Error' })
      expect(stderr).toMatch(/^error: [^\n]*\/no\/such\/fleet[^\n]*\n$/)
    },
  )

  test('a file that is no YAML makes no healthy fleet', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetctl-bad-'))
    writeFileSync(join(folder, 'x.yaml'), 'a: [1\n')
    const { code, stderr } = fleetctl(['doctor', '--from', folder])
    expect(code).not.toBe(0)
    expect(stderr).not.toMatch(/\n {4}at /)
  })
})

describe('pipes and signals', () => {
  test('a reader that goes away ends it quietly', () => {
    const { stdout, stderr } = shell(`$FLEETCTL schema | head -c 20; echo " \${PIPESTATUS[0]}"`)
    expect(stdout).toMatch(/^\{\n.* 0\n$/s)
    expect(stderr).toBe('')
    expect(shell(`$FLEETCTL doctor --from ${BROKEN} -o json | true`)).toMatchObject({ stderr: '' })
    expect(shell(`$FLEETCTL doctor --from ${BROKEN} -o json | head -1`)).toMatchObject({ stdout: '{\n', stderr: '' })
  })

  test.runIf(existsSync('/dev/full'))('a full disk is one line on stderr and exit 2', () => {
    for (const command of ['--help', 'version', `doctor --from ${HEALTHY} -o json`]) {
      const { code, stderr } = shell(`$FLEETCTL ${command} > /dev/full`)
      expect(code).toBe(2)
      expect(stderr).toMatch(/^error: cannot write the output: ENOSPC[^\n]*\n$/)
    }
  })

  test('a slow reader gets all of it', () => {
    const whole = fleetctl(['doctor', '--from', BROKEN, '-o', 'json']).stdout.length
    const slow = shell(`$FLEETCTL doctor --from ${BROKEN} -o json | (sleep 0.5; cat)`).stdout
    expect(slow.length).toBeGreaterThan(whole - 20)
    expect(JSON.parse(slow).kind).toBe('DoctorReport')
  })

  test('a closed stderr does not matter', () => {
    expect(shell(`$FLEETCTL doctor --from ${HEALTHY} -o name 2>&-`).code).toBe(0)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s while it reads exits %i', async (signal, code) => {
    expect(await interrupted(['doctor', '--from', '-', '-v=1'], signal)).toMatchObject({ code, stdout: '' })
  })

  test('--timeout ends a read that never ends, with 5', async () => {
    expect(await interrupted(['doctor', '--from', '-', '--timeout', '300ms'], undefined)).toEqual({
      code: 5,
      stdout: '',
      stderr: 'error: the command took longer than --timeout 0.3s; nothing is reported\n',
    })
  })
})

describe('terminal', () => {
  const has = (program: string) => shell(`command -v ${program}`).code === 0
  /** `script` gives the program a terminal. */
  const terminal = (args: string, env: NodeJS.ProcessEnv = {}) =>
    shell(`script -qec "stty cols 80; $FLEETCTL ${args}" /dev/null`, { TERM: 'xterm', ...env }).stdout

  test.runIf(has('script'))('colours and a spinner on a terminal; neither under NO_COLOR and CI', () => {
    const plain = terminal(`doctor --from ${BROKEN}`, { NO_COLOR: '1', CI: 'true' })
    expect(plain).toContain('Error FLT')
    expect(plain).not.toContain('\x1b[')
    expect(terminal(`doctor --from ${BROKEN}`, { CI: 'true' })).toContain('\x1b[31mError\x1b[39m')
    expect(terminal(`doctor --from ${BROKEN}`)).toContain('\x1b[?25h')
    expect(terminal(`doctor --from ${BROKEN} -q`)).not.toContain('\x1b[?25h')
  })

  test.runIf(has('script'))('a terminal that says it has no columns is taken for one of 80', () => {
    const line = `script -qec "stty cols 0; $FLEETCTL doctor --from ${HEALTHY}" /dev/null`
    expect(shell(line, { TERM: 'xterm', NO_COLOR: '1' }).stdout).toContain('Exit code 0: no finding is an error.')
  })

  test('a pipe gets colours only on demand', () => {
    expect(fleetctl(['doctor', '--from', BROKEN, '--color', 'always']).stdout).toContain('\x1b[31mError')
    expect(fleetctl(['doctor', '--from', BROKEN], { env: { FORCE_COLOR: '1' } }).stdout).toContain('\x1b[31mError')
    expect(fleetctl(['doctor', '--from', BROKEN]).stdout).not.toContain('\x1b')
  })

  test('without a UTF-8 locale the output is ASCII', () => {
    expect(fleetctl(['doctor', '--from', BROKEN], { env: { LANG: 'C' } }).stdout).toMatch(/^[\n\x20-\x7e]*$/)
  })
})

test('reports go to files, whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetctl-files-'))
  const argv = ['doctor', '--from', BROKEN, '-o', 'json=a.json', '-o', 'junit=a.xml', '-o', 'short']
  const { code, stdout, stderr } = fleetctl(argv, { cwd: folder })
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'wrote json to a.json\nwrote junit to a.xml\n' })
  expect(stdout).toMatch(/^Error FLT\d{4} /)
  expect(JSON.parse(readFileSync(join(folder, 'a.json'), 'utf8')).findings).not.toEqual([])
  expect(readFileSync(join(folder, 'a.xml'), 'utf8')).toMatch(/<\/testsuites>\n$/)
})

test('npm start shows the example and ends with 0', () => {
  const { code, stdout, stderr } = shell('node scripts/demo.mjs', ENV)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\$ fleetctl doctor --from examples\/article-lab\n/)
  expect(stdout).toContain('\n$ fleetctl trace app branding-bm --from examples/article-lab\n')
  expect(stdout).toContain("The doctor's exit code was 1 ")
})
