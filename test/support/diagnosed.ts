import { CHECKS } from '../../src/checks/registry.ts'
import { type Diagnosis, examine } from '../../src/diagnosis.ts'
import type { RecordedFleet } from './fleets.ts'

/** What all checks find in a fleet. */
export async function diagnosed(fleet: RecordedFleet): Promise<Diagnosis> {
  return examine(await fleet.load(), CHECKS)
}
