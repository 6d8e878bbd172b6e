import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { engine } from '../../src/commands/engine.ts'
import { schemaOf } from '../../src/output/schema/schemas.ts'
import { runCli } from './run-cli.ts'

const scratch = mkdtempSync(join(tmpdir(), 'fleetctl-error-'))
const truncated = join(scratch, 'cut.tgz')
// The first bytes of a gzip stream and nothing behind them.
writeFileSync(truncated, Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3]))

const SOURCES = [
  ['an empty folder', scratch],
  ['a folder that does not exist', join(scratch, 'nowhere')],
  ['a truncated archive', truncated],
] as const

describe('an error in a machine format', () => {
  it.each(SOURCES)('%s: stdout holds one document that says what stderr says', async (_, path) => {
    const from = path === scratch ? mkdtempSync(join(tmpdir(), 'fleetctl-empty-')) : path
    for (const args of [['doctor'], ['trace', 'app', 'x']]) {
      const json = await runCli([...args, '--from', from, '-o', 'json'], { engine })
      const document: unknown = JSON.parse(json.stdout)
      expect(new Ajv2020().validate(schemaOf('Error') ?? false, document)).toBe(true)
      expect(document).toMatchObject({ kind: 'Error', exitCode: json.code })
      expect(json.code).toBe(2)
      expect(json.stderr).toMatch(/^error: .+\n$/)
      expect(json.stderr).toContain((document as { message: string }).message)
      const yaml = await runCli([...args, '--from', from, '-o', 'yaml'], { engine })
      expect(parse(yaml.stdout)).toEqual(document)
      const text = await runCli([...args, '--from', from], { engine })
      expect(text.stdout).toBe('')
      expect(text.code).toBe(2)
    }
  })

  it('stands in the files of -o FORMAT=FILE too, and JUnit has it as a case in error', async () => {
    const junit = join(scratch, 'report.xml')
    const json = join(scratch, 'report.json')
    writeFileSync(json, '{"kind":"DoctorReport","findings":[]}')
    const args = [
      'doctor',
      '--from',
      join(scratch, 'nowhere'),
      '-o',
      'short',
      '-o',
      `junit=${junit}`,
      '-o',
      `json=${json}`,
    ]
    const { code, stdout } = await runCli(args, { engine })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(readFileSync(junit, 'utf8')).toMatch(/<testsuites [^>]*errors="1".*<error message="[^"]*nowhere[^"]*"\/>/s)
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ kind: 'Error', exitCode: 2 })
  })
})
