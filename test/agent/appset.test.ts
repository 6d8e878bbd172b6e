import { describe, expect, it } from 'vitest'
import { engine } from '../../src/commands/engine.ts'
import { runCli } from '../commands/run-cli.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { recordedFleet } from '../support/fleets.ts'

async function turn(fleet: string, name: string, ...flags: readonly string[]) {
  const argv = ['agent', 'appset', name, '--from', recordedFleet(fleet), '-o', 'json', ...flags]
  const { code, stdout, stderr } = await runCli(argv, { engine })
  const document = stdout === '' ? undefined : JSON.parse(stdout)
  if (code !== 2) expectSchema('Plan', document)
  return { code, stderr, document, gates: (document?.gates ?? []).map((g: { code: string }) => g.code) }
}

const changesOf = (document: { steps: readonly { changes?: readonly unknown[] }[] }) => document.steps[0]?.changes

describe('agent appset', () => {
  it('turns a push template by its destination alone, and asks for agents first', async () => {
    const { code, document, gates } = await turn('push-healthy', 'node-baseline')
    expect(code).toBe(6)
    expect(gates).toEqual(['no-agent'])
    expect(changesOf(document)).toMatchObject([
      { path: '.spec.template.spec.destination.name', change: 'add', to: '{{name}}' },
      { path: '.spec.template.spec.destination.server', change: 'remove', from: '{{server}}' },
    ])
  })

  it('takes all marks of pull away, and names the ManifestWorks that stay', async () => {
    const { document, gates } = await turn('pull-healthy', 'branding-pull')
    expect(gates).toContain('manifestworks-stay')
    const paths = (changesOf(document) ?? []).map(c => (c as { path: string }).path)
    expect(paths.filter(path => path.includes('template.metadata'))).toHaveLength(4)
    expect(document.steps[0].changes.filter((c: { change: string }) => c.change === 'remove')).toHaveLength(5)
  })

  it('refuses to take the name from agents until exactly these Applications are named', async () => {
    const refused = await turn('agent-healthy', 'branding-bottom-agent', '--to', 'push')
    expect(refused.code).toBe(6)
    expect(refused.gates).toEqual(['deleted-by-agents'])
    expect(refused.document.gates[0].details).toEqual([
      'openshift-gitops/branding-bottom-bm on bm',
      'openshift-gitops/branding-bottom-sno on sno',
    ])
    const some = await turn(
      'agent-healthy',
      'branding-bottom-agent',
      '--to',
      'push',
      '--accept-lost',
      'branding-bottom-bm',
    )
    expect(some.code).toBe(6)
    const all = await turn(
      'agent-healthy',
      'branding-bottom-agent',
      '--to',
      'push',
      '--accept-lost',
      'branding-bottom-bm,branding-bottom-sno',
    )
    expect(all.code).toBe(0)
  })

  it('finds one that is for agents already as it is wanted', async () => {
    const { code, document } = await turn('agent-healthy', 'branding-bottom-agent')
    expect(code).toBe(0)
    expect(document).toMatchObject({ summary: { configure: 0, unchanged: 1 }, gates: [] })
  })

  it('names the nearest where there is none', async () => {
    expect(await turn('agent-healthy', 'branding-bottom-agnt')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('branding-bottom-agent'),
    })
  })
})
