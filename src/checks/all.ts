import { SUPPRESSION_CHECKS } from '../suppressions/checks.ts'
import type { Check } from './check.ts'
import { CHECKS } from './registry.ts'

/** Every check that a person can name, by code: those of the fleet, and those of the run itself. */
export const ALL_CHECKS: readonly Check[] = [...CHECKS, ...SUPPRESSION_CHECKS]
