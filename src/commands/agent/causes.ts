import { subjectText } from '../../fleet/subject.ts'
import { type Call, openSource } from '../call.ts'

/** Parts of the chain in which the cause of a switch that does not go on is found. */
const CATEGORIES = ['agent', 'addons', 'registration', 'clusters']
const MOST = 3

/** Root causes that the checks find on the hub now, one line each; a check that fails itself must not hide the timeout. */
export async function causesOn(call: Call): Promise<readonly string[]> {
  try {
    const known = new Set((await call.engine.checks()).map(check => check.category as string))
    const categories = CATEGORIES.filter(name => known.has(name))
    const report = await call.engine.runDoctor(await openSource(call), { categories, signal: call.context.signal })
    const errors = report.findings.filter(f => f.severity === 'error')
    const ofAgents = errors.filter(f => f.category === 'agent')
    return [...ofAgents, ...errors.filter(f => f.category !== 'agent')]
      .slice(0, MOST)
      .map(f => `${f.code} ${subjectText(f.subject)}: ${f.message} (${f.fix})`)
  } catch {
    call.context.signal.throwIfAborted()
    return ['the checks could not look for it; run "fleetctl doctor"']
  }
}
