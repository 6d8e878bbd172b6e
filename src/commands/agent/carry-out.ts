import type { PlanInput } from '../../bootstrap/make-plan.ts'
import type { ExitCode } from '../../errors.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Call } from '../call.ts'
import { runPlan } from '../plan/produce-plan.ts'
import { causesOn } from './causes.ts'
import { readHub } from './make.ts'

/** Reads the hub, makes the plan, and does with it what the flags say. */
export async function carryOut(call: Call, make: (input: PlanInput) => Promise<Plan>): Promise<ExitCode> {
  return runPlan(
    call,
    async signal => {
      const hub = await readHub(call, signal)
      try {
        return { plan: await make({ ...hub, now: new Date() }), reader: hub.reader, close: hub.close }
      } catch (error) {
        hub.close()
        throw error
      }
    },
    () => ({ causes: async () => causesOn(call) }),
  )
}
