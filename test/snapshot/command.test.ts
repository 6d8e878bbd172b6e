import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { schemaOf } from '../../src/output/schema/schemas.ts'
import { FLEETS } from '../support/fleets.ts'
import { type RealOutcome, run } from '../support/run-real.ts'

const FROM = ['--from', join(FLEETS, 'pull-healthy.tgz')]
const OTHER = ['--from', join(FLEETS, 'push-healthy.tgz')]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetctl-snapshot-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const snapshot = (...argv: readonly string[]): Promise<RealOutcome> => run(['snapshot', ...argv], folder)
const text = (name: string): string => readFileSync(join(folder, name), 'utf8')

describe('fleetctl snapshot', () => {
  test('tells what it recorded; -o takes a format beside the path', async () => {
    const plain = await snapshot('-o', 'fleet', ...FROM)
    expect([plain.code, plain.stderr]).toEqual([0, ''])
    expect(plain.stdout).toMatch(
      /^Recorded recording .*pull-healthy\.tgz to fleet\.\nCLUSTER +ROLE +VERSION +KINDS +OBJECTS/,
    )
    const json = await snapshot('-o', 'fleet.tgz', '-o', 'json', ...FROM)
    const isReport = new Ajv2020({ strictRequired: false }).compile(schemaOf('SnapshotReport') ?? false)
    const document: unknown = JSON.parse(json.stdout)
    expect(isReport(document), JSON.stringify(isReport.errors)).toBe(true)
    expect(document).toMatchObject({ path: 'fleet.tgz', format: 'archive', redacted: false, gaps: [] })
    expect((await run(['doctor', '--from', join(folder, 'fleet.tgz')])).code).toBe(0)
  })

  test.each([
    [[], 'where to?'],
    [['-o', 'json'], 'where to?'],
    [['-o', 'a', '-o', 'b'], 'names two paths, "a" and "b"'],
    [['-o', '-'], 'cannot go to stdout'],
    [['-o', 'no/such/folder'], 'there is no folder'],
    [['-o', 'a', '--mapping', 'm.json'], '--mapping is for --redact'],
    [['-o', 'a', '--redact', '--mapping', 'a/m.json'], 'would lie inside the snapshot'],
    [['-o', 'a', '--context', 'x'], 'cannot go with --from'],
  ])('%j is a mistake', async (argv, message) => {
    const { code, stdout, stderr } = await snapshot(...argv, ...FROM)
    expect([code, stdout.startsWith('Recorded')]).toEqual([2, false])
    expect(stderr).toContain(message)
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['fleet', 'fleet.tgz'])('%s is replaced only with --force, and then as a whole', async name => {
    await snapshot('-o', name, ...FROM)
    const again = await snapshot('-o', name, ...OTHER)
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('pass --force')])
    expect((await run(['diff', join(folder, name), FROM[1] ?? '', '--exit-code'])).code).toBe(0)
    expect((await snapshot('-o', name, '--force', ...OTHER)).code).toBe(0)
    expect((await run(['diff', join(folder, name), OTHER[1] ?? '', '--exit-code'])).code).toBe(0)
    expect(readdirSync(folder)).toEqual([name])
  })

  test('nothing but a snapshot is replaced, --force or not', async () => {
    mkdirSync(join(folder, 'home'))
    writeFileSync(join(folder, 'home', 'thesis.txt'), 'years of work')
    writeFileSync(join(folder, 'notes.tgz'), 'no archive')
    for (const name of ['home', 'notes.tgz']) {
      for (const force of [[], ['--force']]) expect((await snapshot('-o', name, ...force, ...FROM)).code).toBe(6)
    }
    expect([text('home/thesis.txt'), text('notes.tgz')]).toEqual(['years of work', 'no archive'])
    // A snapshot into which somebody put something of his own.
    await snapshot('-o', 'fleet', ...FROM)
    writeFileSync(join(folder, 'fleet', 'notes.txt'), 'mine')
    expect((await snapshot('-o', 'fleet', '--force', ...FROM)).code).toBe(6)
    mkdirSync(join(folder, 'empty'))
    expect((await snapshot('-o', 'empty', ...FROM)).code).toBe(0)
  })

  test('--redact writes the mapping beside it, for the owner alone', async () => {
    const { code, stdout } = await snapshot('-o', 'case.tgz', '--redact', ...FROM)
    expect(code).toBe(0)
    expect(stdout).toContain('What stands for what is in case.tgz.mapping.json: keep it to yourself.')
    expect((statSync(join(folder, 'case.tgz.mapping.json')).mode & 0o777).toString(8)).toBe('600')
    expect(JSON.parse(text('case.tgz.mapping.json'))).toMatchObject({
      kind: 'RedactionMapping',
      words: { bm: expect.any(String), sno: expect.any(String) },
    })
    const doctor = await run(['doctor', '--from', join(folder, 'case.tgz')])
    expect(doctor.code).toBe(0)
    expect(doctor.stdout).not.toMatch(/\b(bm|sno)\b/)
  })

  test('with the same mapping two redacted snapshots can be compared', async () => {
    const mapping = ['--redact', '--mapping', 'names.json']
    await snapshot('-o', 'before', ...mapping, '--from', join(FLEETS, 'healthy-article-3.tgz'))
    const words = JSON.parse(text('names.json')).words
    await snapshot('-o', 'after', ...mapping, '--from', join(FLEETS, 'set-label-lost.tgz'))
    expect(JSON.parse(text('names.json')).words).toMatchObject(words)
    const { stdout } = await run(['diff', join(folder, 'before'), join(folder, 'after'), '-o', 'json'])
    const decisions = JSON.parse(stdout).changes.filter((c: { section: string }) => c.section === 'decisions')
    expect(decisions.map((c: { fields: unknown }) => c.fields)).toEqual([
      [{ field: 'clusters', before: `${words.bm}, ${words.sno}`, after: words.bm }],
    ])
  })

  test('a file that is no mapping is not written over', async () => {
    writeFileSync(join(folder, 'names.json'), '{"a": 1}')
    const { code, stderr } = await snapshot('-o', 'case', '--redact', '--mapping', 'names.json', ...FROM)
    expect([code, stderr]).toEqual([2, expect.stringContaining('no mapping of names')])
    expect([text('names.json'), readdirSync(folder)]).toEqual(['{"a": 1}', ['names.json']])
  })
})
