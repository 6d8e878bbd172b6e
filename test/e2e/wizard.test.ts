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

type Answers = readonly (readonly [question: string, keys: readonly string[]])[]

const { enter, down, space } = KEYS
const SOURCE: Answers = [
  ['Git repository', ['https://git.example.test/fleet.git', enter]],
  ['Folder in it', [enter]],
  ['Branch, tag or commit', [enter]],
]

/** Every question with the answer that is given, by what is set up, and the command that comes of it. */
const ROUTES: readonly (readonly [what: string, answers: Answers, command: string])[] = [
  [
    'pull',
    [
      ['How are Applications to reach the clusters?', [enter]],
      ['Which clusters?', [space, down, space, enter]],
      ['Into which set?', [enter]],
      ...SOURCE,
      ['Who puts Argo CD on the clusters?', [enter]],
      ['What may the Argo CD of the clusters do there?', [enter]],
      ['What becomes of the workload', [enter]],
    ],
    "bootstrap pull --set production --clusters bm,sno --repo-url https://git.example.test/fleet.git --path 'apps/{{name}}' --spoke-gitops policy --spoke-rights cluster-admin",
  ],
  [
    'push with an account of its own, into a new set',
    [
      ['How are Applications to reach the clusters?', [KEYS.up, enter]],
      ['Which clusters?', [space, enter]],
      ['Into which set?', [down, enter]],
      ['Name of the new set', ['edge', enter]],
      ...SOURCE,
      ['As whom does the hub act on the clusters?', [down, enter]],
      ['Name of the account', ['deployer', enter]],
      ['In which namespaces may it write?', ['shop, bank', enter]],
      ['What becomes of the workload', [down, enter]],
    ],
    "bootstrap push --set edge --clusters bm --repo-url https://git.example.test/fleet.git --path 'apps/{{name}}' --on-leave remove --service-account deployer --grant-namespaces shop,bank",
  ],
  [
    'agent with rights in some namespaces',
    [
      ['How are Applications to reach the clusters?', [down, enter]],
      ['Which clusters?', [space, enter]],
      ['Into which set?', [enter]],
      ...SOURCE,
      ["Does the hub's Argo CD go on deploying itself?", [down, enter]],
      ['What may the Argo CD of the clusters do there?', [down, enter]],
      ['Which namespaces?', ['shop', enter]],
      ['What becomes of the workload', [enter]],
    ],
    "bootstrap agent --set production --clusters bm --repo-url https://git.example.test/fleet.git --path 'apps/{{name}}' --spoke-rights namespaces --managed-namespaces shop --setup hybrid",
  ],
]

/** Answers questions one after another. A narrow terminal breaks a question into lines, so its beginning will do. */
async function answer(terminal: PseudoTerminal, answers: Answers): Promise<void> {
  for (const [question, keys] of answers) {
    await terminal.see(question.slice(0, 12))
    await terminal.press(...keys)
  }
}

/** Ctrl-C at every question of every route; questions that were asked on an earlier one are left out. */
const STOPS = ROUTES.flatMap(([, answers]) => answers.map(([question], i) => [question, answers.slice(0, i)] as const))
const EACH_STOP = STOPS.filter(([question], i) => STOPS.findIndex(([earlier]) => earlier === question) === i)

describe.skipIf(!hasPseudoTerminal)('the wizard on a real terminal', () => {
  it.each(
    ROUTES.flatMap(([what, answers, command]) => [100, 40].map(columns => [what, columns, answers, command] as const)),
  )(
    'asks to the end for %s, shows the same as a command and a file, and plans (%i columns)',
    async (_, columns, answers, command) => {
      const terminal = wizard(columns)
      await answer(terminal, answers)
      await terminal.see('The same without questions')
      // The recording has push and pull already: a plan with a danger that is not accepted ends with 6.
      expect([0, 6]).toContain(await terminal.exit)
      const text = terminal.text.replaceAll(/\s+/g, ' ')
      expect(text).toContain(command)
      expect(text).toContain('kind: FleetBootstrap')
      // Told as soon as the clusters are chosen, before the next question, and again in the plan.
      expect(text.indexOf('clusters selects bm')).toBeGreaterThan(0)
      expect(text.indexOf('clusters selects bm')).toBeLessThan(text.indexOf('Git repository'))
      expect(readdirSync(state)).toEqual([])
    },
  )

  it.each(EACH_STOP)('ends with 130 at Ctrl-C on "%s", and nothing is written', async (question, before) => {
    const terminal = wizard()
    await answer(terminal, before)
    await terminal.see(question)
    await terminal.press(KEYS.ctrlC)
    expect(await terminal.exit).toBe(130)
    expect(readdirSync(state)).toEqual([])
  })

  it('asks only for what was not said', async () => {
    const terminal = wizard(
      100,
      'bootstrap push --set production --clusters bm --on-leave keep --service-account d --grant-namespaces shop',
    )
    await terminal.see('Git repository')
    expect(terminal.text).not.toContain('Which clusters?')
    await terminal.press(KEYS.ctrlC)
    expect(await terminal.exit).toBe(130)
  })
})
