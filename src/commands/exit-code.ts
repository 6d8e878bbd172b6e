import type { Severity } from '../checks/check.ts'
import type { DoctorReport } from '../checks/report.ts'
import { EXIT, type ExitCode } from '../errors.ts'
import { atOrAbove } from '../output/severity.ts'
import type { ApplicationTrace, TraceList } from '../trace/trace.ts'

/** Exit code of a doctor run. Findings win over incompleteness. */
export function doctorExitCode(
  report: DoctorReport,
  { failOn, allowIncomplete }: { failOn: Severity; allowIncomplete: boolean },
): ExitCode {
  if (report.findings.some(finding => atOrAbove(finding.severity, failOn))) return EXIT.findings
  const incomplete = report.summary.unknown > 0 || report.unknown.length > 0 || report.source.problems.length > 0
  return incomplete && !allowIncomplete ? EXIT.incomplete : EXIT.ok
}

/** Exit code of one or several traces: broken wins over unknown. */
export function traceExitCode(traces: readonly ApplicationTrace[], allowIncomplete: boolean): ExitCode {
  if (traces.some(trace => trace.firstBroken !== null)) return EXIT.findings
  const incomplete = traces.some(
    trace => trace.source.problems.length > 0 || trace.hops.some(hop => hop.state === 'unknown'),
  )
  return incomplete && !allowIncomplete ? EXIT.incomplete : EXIT.ok
}

/** Exit code of the traces of an ApplicationSet or a cluster: its own finding counts too, with or without Applications. */
export function traceListExitCode(list: TraceList, allowIncomplete: boolean): ExitCode {
  if (list.finding?.severity === 'error') return EXIT.findings
  const code = traceExitCode(list.traces, allowIncomplete)
  if (code !== EXIT.ok || allowIncomplete || list.source.problems.length === 0) return code
  return EXIT.incomplete
}
