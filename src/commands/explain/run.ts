import type { Check } from '../../checks/check.ts'
import { API_VERSION } from '../../checks/report.ts'
import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import type { Explanation, Explanations } from '../../output/documents.ts'
import type { RenderOptions } from '../../output/options.ts'
import type { View } from '../../output/view.ts'
import { didYouMean } from '../../ui/nearest.ts'
import type { Call } from '../call.ts'
import { listedCheck } from '../doctor/list.ts'
import { produce } from '../produce.ts'
import { namedCodes } from './codes.ts'

const EXPLANATION_VIEW: View<Explanation> = {
  what: 'explain',
  forms: { text: async () => (await import('../../output/explanation-text.ts')).renderExplanation },
  rows: explanation => [explanation],
  rowKind: 'CheckExplanation',
  names: ({ code }) => [{ group: '', kind: 'check', name: code }],
}

/** Several checks: each as it is shown alone. */
const EXPLANATIONS_VIEW: View<Explanations> = {
  what: 'explain',
  forms: {
    text: async () => {
      const { renderExplanation } = await import('../../output/explanation-text.ts')
      return ({ items }: Explanations, options: RenderOptions) =>
        items.length === 0
          ? 'No finding to explain.\n'
          : items.map(explanation => renderExplanation(explanation, options)).join('\n')
    },
  },
  rows: list => list.items,
  rowKind: 'CheckExplanation',
  names: list => list.items.map(({ code }) => ({ group: '', kind: 'check', name: code })),
}

/** `fleetctl explain CODE...`, `-` for findings on stdin: one is a CheckExplanation, several are a List of them. */
export async function explain(call: Call): Promise<ExitCode> {
  const codes = await namedCodes(call)
  const [only] = codes
  const doing = 'Reading the checks'
  const exitCode = () => EXIT.ok
  if (only !== undefined && codes.length === 1) {
    const run = async () => explanation(await call.engine.checks(), only)
    return produce(call, { view: EXPLANATION_VIEW, doing, run, exitCode })
  }
  return produce(call, {
    view: EXPLANATIONS_VIEW,
    doing,
    run: async (): Promise<Explanations> => {
      const checks = await call.engine.checks()
      const items = codes.map(code => explanation(checks, code))
      // A check that is named by its code and by its name is one.
      return {
        apiVersion: API_VERSION,
        kind: 'List',
        items: items.filter((a, i) => items.findIndex(b => a.code === b.code) === i),
      }
    },
    exitCode,
  })
}

function explanation(checks: readonly Check[], name: string): Explanation {
  const wanted = name.toLowerCase()
  const check = checks.find(({ code, slug }) => code.toLowerCase() === wanted || slug === wanted)
  if (check === undefined) {
    const names = checks.flatMap(({ code, slug }) => [code, slug])
    throw new UsageError(
      `no check is called "${name}"${didYouMean(name, names, '; "fleetctl doctor list" lists them all')}`,
    )
  }
  return { apiVersion: API_VERSION, kind: 'CheckExplanation', ...listedCheck(check), ...check.docs }
}
