import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { schemaOf, schemaOfAll } from '../../src/output/schema/schemas.ts'
import { openPath } from '../../src/source/open.ts'
import { closed } from '../output/closed-schema.ts'
import { type Outcome, runCli, type Setting } from './run-cli.ts'

const fleet = (name: string) => join('test', 'fleets', `${name}.tgz`)

async function agent(command: string, name: string, args: readonly string[] = [], setting: Setting = {}) {
  return runCli(['agent', command, '--from', fleet(name), ...args], { ...setting, engine: { openPath } })
}

function expectValid(kind: string, { stdout }: Outcome): void {
  const document: unknown = JSON.parse(stdout)
  for (const schema of [schemaOf(kind) ?? {}, schemaOfAll(), closed(schemaOf(kind) ?? {})]) {
    const validate = new Ajv2020({ allErrors: true, strictRequired: false }).compile(schema)
    validate(document)
    expect(validate.errors).toBeNull()
  }
}

const FORMATS = ['text', 'wide', 'short', 'json', 'yaml', 'jsonl', 'name', 'jsonpath={.kind}', 'custom-columns=A:.part']

describe('agent status', () => {
  it.each([
    // A finding that is a warning does not count, as with the doctor.
    ['agent-read-rbac-missing', 0],
    ['agent-disconnected', 1],
  ])('%s exits %i in every format', async (name, code) => {
    for (const format of FORMATS) {
      const outcome = await agent('status', name, ['-o', format])
      expect([format, outcome.code]).toEqual([format, code])
      expect(outcome.stderr).toBe('')
    }
  })

  it.each(['agent-healthy', 'agent-client-cert-missing', 'agent-autonomous-healthy', 'mixed-healthy'])(
    '%s keeps to its schema',
    async name => expectValid('AgentStatus', await agent('status', name, ['-o', 'json'])),
  )

  it('fails on warnings where that is asked for', async () => {
    expect((await agent('status', 'agent-read-rbac-missing', ['--fail-on', 'warning'])).code).toBe(1)
  })

  it('shows only what is not well in short', async () => {
    const { stdout } = await agent('status', 'agent-disconnected', ['-o', 'short'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines.slice(0, -1).every(line => /\b(broken|stale|waiting)\b/.test(line))).toBe(true)
    expect(lines.some(line => /^bm\s+agent\s+broken\s+FLT0805/.test(line))).toBe(true)
  })

  it('names the part, its state and the finding in a table', async () => {
    const columns = 'custom-columns=AGENT:.agent,PART:.part,STATE:.state,CODE:.findings[*].code'
    const { stdout } = await agent('status', 'agent-appproject-no-match', ['-o', columns])
    expect(stdout).toMatch(/project +broken +FLT0804/)
  })

  it('shows one agent, and refuses one that is not there', async () => {
    const { stdout, code } = await agent('status', 'agent-disconnected', ['--spoke', 'sno', '-o', 'json'])
    // What is wrong with another agent does not count.
    expect(code).toBe(0)
    const status: { principals: { agents: { name: string }[] }[] } = JSON.parse(stdout)
    expect(status.principals.flatMap(p => p.agents.map(a => a.name))).toEqual(['sno'])
    const wrong = await agent('status', 'agent-disconnected', ['--spoke', 'snoo'])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('no agent is called "snoo"; did you mean "sno"?')
  })

  it('fits a terminal of 80 columns, the commands below it aside', async () => {
    const { stdout } = await agent('status', 'agent-disconnected', ['--color', 'never'], {
      terminal: true,
      columns: 80,
    })
    const long = stdout
      .split('\n')
      .filter(line => line.length > 80 && !line.startsWith('    oc ') && !/ oc -n /.test(line))
    expect(long).toEqual([])
  })

  it('prints no content of a Secret', async () => {
    const { stdout } = await agent('status', 'agent-healthy', ['-o', 'json'])
    expect(stdout).not.toContain('CANARY')
  })
})

describe('agent verify', () => {
  it.each([
    ['agent-spoke-controller-forbidden', 0],
    ['agent-disconnected', 1],
  ])('%s exits %i in every format', async (name, code) => {
    for (const format of FORMATS) {
      const outcome = await agent('verify', name, ['-o', format])
      expect([format, outcome.code]).toEqual([format, code])
    }
  })

  it.each(['agent-healthy', 'agent-disconnected'])('%s keeps to its schema', async name =>
    expectValid('AgentVerification', await agent('verify', name, ['-o', 'json'])),
  )

  it('has nothing to verify without agents', async () => {
    const { code, stdout, stderr } = await agent('verify', 'mixed-healthy')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('there is no agent to verify')
  })

  it('waits for nothing new in a recording', async () => {
    const { code, stderr } = await agent('verify', 'agent-healthy', ['--wait-for-new'])
    expect(code).toBe(2)
    expect(stderr).toContain('--wait-for-new')
  })
})
