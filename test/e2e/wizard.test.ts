import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordedFleet } from '../support/fleets.ts'
import { hasPseudoTerminal, KEYS, PseudoTerminal } from '../support/pseudo-terminal.ts'
import { BINARY, ENV, requireBuild } from './binary.ts'

let state: string
beforeAll(() => {
  requireBuild()
  state = mkdtempSync(join(tmpdir(), 'fleetctl-wizard-'))
})
afterAll(() => rmSync(state, { recursive: true, force: true }))

function wizard(columns?: number, argv = 'bootstrap'): PseudoTerminal {
  const env = { PATH: ENV.PATH ?? '', LANG: 'C.UTF-8', HOME: state, XDG_STATE_HOME: state }
  return new PseudoTerminal(
    `${process.execPath} ${BINARY} ${argv} --from ${recordedFleet('mixed-healthy')}`,
    env,
    columns,
  )
}

/** Every question with the answer that is given; push asks fewest. */
const ANSWERS: readonly (readonly [question: string, keys: readonly string[]])[] = [
  ['How are Applications to reach the clusters?', [KEYS.enter]],
  ['Which clusters?', [KEYS.space, KEYS.down, KEYS.space, KEYS.enter]],
  ['Into which set?', [KEYS.enter]],
  ['Git repository', ['https://git.example.test/fleet.git', KEYS.enter]],
  ['Folder in it', [KEYS.enter]],
  ['Branch, tag or commit', [KEYS.enter]],
  ['Who puts Argo CD on the clusters?', [KEYS.enter]],
  ['What may the Argo CD of the clusters do there?', [KEYS.enter]],
  ['What becomes of the workload', [KEYS.enter]],
]

describe.skipIf(!hasPseudoTerminal)('the wizard on a real terminal', () => {
  it.each([100, 40])(
    'asks to the end, shows the same as a command and a file, and plans (%i columns)',
    async columns => {
      const terminal = wizard(columns)
      for (const [question, keys] of ANSWERS) {
        // A narrow terminal breaks the question into lines.
        await terminal.see(question.slice(0, 12))
        await terminal.press(...keys)
      }
      await terminal.see('The same without questions')
      expect(await terminal.exit).toBe(0)
      const text = terminal.text.replaceAll(/\s+/g, ' ')
      expect(text).toContain(
        "bootstrap pull --set production --clusters bm,sno --repo-url https://git.example.test/fleet.git --path 'apps/{{name}}' --spoke-gitops policy --spoke-rights cluster-admin",
      )
      expect(text).toContain('kind: FleetBootstrap')
      expect(text).toContain('production-clusters selects bm, sno')
    },
    60_000,
  )

  it.each(ANSWERS.map(([question], i) => [question, i] as const))(
    'ends with 130 at Ctrl-C on "%s", and nothing is written',
    async (_, i) => {
      const terminal = wizard()
      for (const [question, keys] of ANSWERS.slice(0, i)) {
        await terminal.see(question)
        await terminal.press(...keys)
      }
      await terminal.see(ANSWERS[i]?.[0] ?? '')
      await terminal.press(KEYS.ctrlC)
      expect(await terminal.exit).toBe(130)
      expect(readdirSync(state)).toEqual([])
    },
    60_000,
  )

  it('asks only for what was not said', async () => {
    const terminal = wizard(
      100,
      'bootstrap push --set production --clusters bm --on-leave keep --service-account d --grant-namespaces shop',
    )
    await terminal.see('Git repository')
    expect(terminal.text).not.toContain('Which clusters?')
    await terminal.press(KEYS.ctrlC)
    expect(await terminal.exit).toBe(130)
  }, 60_000)
})
