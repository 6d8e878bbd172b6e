import { API_VERSION } from '../../checks/report.ts'
import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import type { Explanation } from '../../output/documents.ts'
import type { View } from '../../output/view.ts'
import { didYouMean } from '../../ui/nearest.ts'
import type { Call } from '../call.ts'
import { listedCheck } from '../doctor/list.ts'
import { produce } from '../produce.ts'

const EXPLANATION_VIEW: View<Explanation> = {
  what: 'explain',
  forms: { text: async () => (await import('../../output/explanation-text.ts')).renderExplanation },
  rows: explanation => [explanation],
  rowKind: 'CheckExplanation',
  names: ({ code }) => [{ group: '', kind: 'check', name: code }],
}

/** `fleetctl explain CODE`, or `-` for a finding on stdin: the prose that a check carries. */
export async function explain(call: Call): Promise<ExitCode> {
  return produce(call, {
    view: EXPLANATION_VIEW,
    doing: 'Reading the checks',
    run: () => explanation(call, call.args[0] ?? ''),
    exitCode: () => EXIT.ok,
  })
}

async function explanation(call: Call, argument: string): Promise<Explanation> {
  const name = argument === '-' ? await (await import('./code-on-stdin.ts')).codeOnStdin(call) : argument
  const checks = await call.engine.checks()
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
