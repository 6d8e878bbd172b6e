import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ALL_CHECKS as CHECKS } from '../../src/checks/all.ts'
import { pageName, pages } from './docs/pages.ts'

const DOCS = join(dirname(fileURLToPath(import.meta.url)), '../../docs')

test('the pages of the checks are current (npm run generate)', { timeout: 300_000 }, async () => {
  const written = await pages()
  const stale = [...written]
    .filter(([path, text]) => readFileSync(join(DOCS, path), 'utf8') !== text)
    .map(([path]) => path)
  expect(stale).toEqual([])
  const shown = [...written].filter(
    ([path, text]) => path.startsWith('checks/FLT') && !text.includes('No recorded fleet shows it.'),
  )
  expect(shown.length).toBe(CHECKS.length)
})

test('there is a page for every check and no other', () => {
  expect(readdirSync(join(DOCS, 'checks')).sort()).toEqual([...CHECKS.map(pageName), 'README.md'].sort())
})

test('no page holds what was secret in a recording', () => {
  for (const name of readdirSync(join(DOCS, 'checks'))) {
    const text = readFileSync(join(DOCS, 'checks', name), 'utf8')
    expect(text, name).not.toMatch(/CANARY|Q0FOQVJZ/)
  }
})
