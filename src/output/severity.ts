import type { Severity } from '../checks/check.ts'

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

/** Is the severity as grave as the threshold, or graver? */
export function atOrAbove(severity: Severity, threshold: Severity): boolean {
  return RANK[severity] <= RANK[threshold]
}
