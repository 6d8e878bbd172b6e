import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { textAt, valueAt } from '../../src/raw.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { FLEETS } from '../support/fleets.ts'
import { LiveCli, type LiveOutcome } from '../support/live-cli.ts'

/** The real engine on recordings: no cluster is there to write to. */
const cli = new LiveCli('/nowhere')
const folder = mkdtempSync(join(tmpdir(), 'fleetctl-doctor-fix-'))
afterAll(() => {
  cli.end()
  rmSync(folder, { recursive: true, force: true })
})

const fix = (fleet: string, ...args: string[]): Promise<LiveOutcome> =>
  cli.run(['doctor', 'fix', ...args, '--from', join(FLEETS, `${fleet}.tgz`)])

/** Outcome, fleet, arguments, exit code. */
const OUTCOMES: readonly (readonly [outcome: string, fleet: string, args: readonly string[], code: number])[] = [
  ['a plan', 'push-binding-deleted', ['FLT0102'], 0],
  ['nothing to mend', 'push-healthy', ['FLT0102'], 0],
  ['nothing that is safe to mend', 'push-healthy', ['--all-safe'], 0],
  ['a deletion that nobody has accepted', 'pull-preserve-orphan-manifestwork', ['FLT0603'], 6],
  ['a deletion that is accepted', 'pull-preserve-orphan-manifestwork', ['FLT0603', '--accept', 'deletes'], 0],
]
const FORMATS = ['text', 'wide', 'json', 'yaml', 'jsonl', 'name', 'jsonpath={.kind}', 'custom-columns=A:.action']

describe.each(FORMATS)('doctor fix -o %s', format => {
  test.each(OUTCOMES)('%s', async (_, fleet, args, code) => {
    const outcome = await fix(fleet, ...args, '-o', format)
    expect(outcome).toMatchObject({ code, stderr: '' })
    if (format === 'json') await expectSchema('Plan', JSON.parse(outcome.stdout))
    if (format === 'yaml') expect(parseAllDocuments(outcome.stdout)).toHaveLength(1)
  })
})

describe('doctor fix', () => {
  test('a code without a machine fix gets its remedy in words', async () => {
    const outcome = await fix('cluster-unavailable-tolerated', 'FLT0003')
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toMatch(/^error: FLT0003 cluster-unavailable has no machine fix; by hand: .*klusterlet/)
    expect(outcome.stderr.trimEnd()).not.toContain('\n')
  })

  test.each([
    [[], /nothing says what to mend/],
    [['production'], /no check is called "production"/],
    [['FLT9999'], /no check is called "FLT9999"/],
    [['FLT0102', '--all-safe'], /either codes or --all-safe/],
    [['FLT0102', 'producton'], /no such finding is about "producton"; did you mean "production"\?/],
    [['FLT0102', '--accept', 'everything'], /--accept knows no danger "everything"/],
    [['FLT0102', '--dry-run=server'], /needs a live hub/],
  ] as const)('%j is a usage error', async (args, says) => {
    const outcome = await fix('push-binding-deleted', ...args)
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toMatch(says)
  })

  test('a finding that cannot be mended says why, and the exit code is 6', async () => {
    const outcome = await fix('placement-deleted', 'FLT0201')
    expect(outcome.code).toBe(6)
    expect(outcome.stderr).toMatch(/nothing is mended: FLT0201 .*no Placement of nearly this name/)
  })

  test('what could not be seen is no "nothing to mend"', async () => {
    const lab = join(folder, 'lab')
    const { execFileSync } = await import('node:child_process')
    const { mkdirSync, writeFileSync } = await import('node:fs')
    mkdirSync(lab)
    execFileSync('tar', ['-xzf', join(FLEETS, 'push-healthy.tgz'), '-C', lab])
    const index = join(lab, 'push-healthy', 'hub', 'index.yaml')
    const text = readFileSync(index, 'utf8')
    // The list of bindings was refused when the fleet was recorded.
    const resources = parse(text).resources.map((r: { resource: string }) => {
      if (r.resource !== 'managedclustersetbindings') return r
      const { file: _, ...entry } = { file: '', ...r }
      return { ...entry, error: 'forbidden' }
    })
    writeFileSync(index, JSON.stringify({ ...parse(text), resources }))
    rmSync(join(lab, 'push-healthy', 'hub', 'managedclustersetbindings.cluster.open-cluster-management.io.yaml'))
    const outcome = await cli.run(['doctor', 'fix', 'FLT0102', '--from', join(lab, 'push-healthy')])
    expect(outcome.code).toBe(3)
    expect(outcome.stderr).toMatch(/cannot tell whether there is something to mend: FLT0102/)
  })

  test('the slug does as well as the code, and a namespace or a name limits it', async () => {
    const json = async (...args: string[]) =>
      JSON.parse((await fix('two-independent-faults', ...args, '-o', 'json')).stdout)
    const bySlug = await json('clusterset-binding-missing')
    expect(bySlug.summary.create).toBe(1)
    expect((await json('FLT0102', '-n', 'acm-policies')).summary.create).toBe(1)
    expect((await json('FLT0102', '-n', 'elsewhere')).summary.create).toBe(0)
    expect((await json('FLT0102', '-n', 'elsewhere', '-A')).summary.create).toBe(1)
    expect((await json('FLT0102', 'retail-emea')).steps[0].subject).toMatchObject({
      kind: 'ManagedClusterSetBinding',
      namespace: 'acm-policies',
      name: 'retail-emea',
    })
  })

  test('an export of deletions alone has nothing to apply, and says what deletes', async () => {
    const target = join(folder, 'deletes')
    const outcome = await fix('pull-preserve-orphan-manifestwork', 'FLT0603', '--export', target)
    const command = 'fleetctl doctor fix FLT0603 --accept deletes'
    expect(outcome.code).toBe(0)
    expect(outcome.stderr).toContain(`deletions are not exported; on the live hub this deletes: ${command}\n`)
    expect(readdirSync(target)).toEqual(['README.md'])
    const readme = readFileSync(join(target, 'README.md'), 'utf8')
    expect(readme).toContain(
      `Deletions are not exported. On the live hub this command deletes:\n\n\`\`\`\n${command}\n`,
    )
    expect(readme).not.toContain('kubectl apply')
  })

  test('an export is whole, ordered, without status and the same every time', async () => {
    const write = async (name: string) => {
      const target = join(folder, name)
      const outcome = await fix('pull-target-annotation-missing', 'FLT0304', '--export', target)
      expect(outcome.code).toBe(0)
      return Object.fromEntries(readdirSync(target).map(f => [f, readFileSync(join(target, f), 'utf8')]))
    }
    const first = await write('one')
    expect(await write('two')).toEqual(first)
    expect(Object.keys(first).sort()).toEqual([
      'README.md',
      'applicationset-pricing-rollout.yaml',
      'kustomization.yaml',
    ])
    const file: unknown = parse(first['applicationset-pricing-rollout.yaml'] ?? '')
    expect(
      textAt(
        file,
        'spec',
        'template',
        'metadata',
        'annotations',
        'apps.open-cluster-management.io/ocm-managed-cluster',
      ),
    ).toBe('{{name}}')
    expect(valueAt(file, 'status')).toBeUndefined()
    expect(valueAt(file, 'metadata', 'uid')).toBeUndefined()
    expect(valueAt(file, 'spec', 'generators')).toBeDefined()
  })

  test('the README beside the files says what is risked and what is to be deleted', async () => {
    const target = join(folder, 'readme')
    expect((await fix('push-binding-unknown-set', 'FLT0101', '--export', target)).code).toBe(0)
    const text = readFileSync(join(target, 'README.md'), 'utf8')
    expect(text).toContain('retail-emae in openshift-gitops | *delete it; no file says so* |')
    expect(text).toContain('## What it risks')
    expect(readdirSync(target)).not.toContain('managedclustersetbinding-retail-emae.yaml')
  })

  test('what only starts something is nothing for Git', async () => {
    const outcome = await fix('pull-manual-sync-not-started', 'FLT0506', '--export', join(folder, 'sync'))
    expect(outcome.code).toBe(6)
    expect(outcome.stderr).toContain('no matter of Git')
    expect(readdirSync(folder)).not.toContain('sync')
  })

  test('findings name the command, and the words stay', async () => {
    const from = join(FLEETS, 'push-binding-deleted.tgz')
    const outcome = await cli.run(['doctor', '--from', from])
    expect(
      outcome.stdout,
    ).toContain(`  Fix      fleetctl doctor fix FLT0102 -n openshift-gitops production --from ${from}
           shows a plan first
  In Git   fleetctl doctor fix FLT0102 -n openshift-gitops production --from ${from} --export DIR
  By hand  oc apply -f - on the hub with:`)
  })
})
