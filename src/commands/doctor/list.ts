import type { Check } from '../../checks/check.ts'
import { API_VERSION } from '../../checks/report.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { fixOf } from '../../fixes/lookup.ts'
import type { CheckList, ListedCheck } from '../../output/documents.ts'
import type { Named, View } from '../../output/view.ts'
import type { Call } from '../call.ts'
import { produce } from '../produce.ts'
import { chosenChecks } from './selection.ts'

const CHECK_LIST_VIEW: View<CheckList> = {
  what: 'doctor list',
  forms: {
    text: async () => (await import('../../output/check-list-text.ts')).renderCheckList,
    wide: async () => (await import('../../output/check-list-text.ts')).renderCheckListWide,
  },
  rows: list => list.checks,
  rowKind: 'Check',
  names: list => list.checks.map((check): Named => ({ group: '', kind: 'check', name: check.code })),
}

/** `fleetctl doctor list`: all checks, or those that the flags of `doctor` choose, by code. */
export async function doctorList(call: Call): Promise<ExitCode> {
  const { checks, skip, categories } = await chosenChecks(call)
  const isChosen = ({ code, category }: Check): boolean =>
    (checks?.includes(code) ?? true) && !(skip?.includes(code) ?? false) && (categories?.includes(category) ?? true)
  return produce(call, {
    view: CHECK_LIST_VIEW,
    doing: 'Listing checks',
    run: async (): Promise<CheckList> => ({
      apiVersion: API_VERSION,
      kind: 'CheckList',
      checks: listed((await call.engine.checks()).filter(isChosen)),
    }),
    exitCode: () => EXIT.ok,
  })
}

function listed(checks: readonly Check[]): ListedCheck[] {
  return checks.map(listedCheck).sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** What is told of a check besides its prose. */
export function listedCheck({ code, slug, severity, category, title, models, needs, uses }: Check): ListedCheck {
  const reads = {
    hub: [...new Set([...(needs.hub ?? []), ...(uses?.hub ?? [])])].sort(),
    spoke: [...new Set([...(needs.spoke ?? []), ...(uses?.spoke ?? [])])].sort(),
  }
  const fix = fixOf(code)
  const machineFix = fix === undefined ? null : { does: fix.does, risk: fix.risk, safe: fix.safe }
  return { code, slug, severity, category, title, models, reads, machineFix }
}
