import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ROOT, requireBuild } from './binary.ts'

beforeAll(requireBuild)

test('README and docs show what the commands print', () => {
  const script = join(ROOT, 'scripts', 'generate-docs.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
