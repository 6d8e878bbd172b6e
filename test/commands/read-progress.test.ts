import { expect, it } from 'vitest'
import { readProgress } from '../../src/commands/read-progress.ts'

it('says how much has come of what, not more often than one can read', () => {
  const said: string[] = []
  let now = 0
  const note = readProgress(
    text => said.push(text),
    () => now,
  )
  const page = (cluster: string, objects: number, remaining: number | undefined, done = false): void =>
    note({ cluster, kind: 'Application', objects, remaining, done })
  page('hub', 500, 49_500)
  now = 50
  page('hub', 1_000, 49_000)
  now = 200
  page('bm', 3, 0, true)
  expect(said).toEqual([
    '500 objects; applications.argoproj.io 500 of 50,000',
    '1,003 objects on 2 clusters; applications.argoproj.io 3',
  ])
})
