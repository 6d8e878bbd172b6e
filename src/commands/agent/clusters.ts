import { addPlan } from '../../agent/clusters/add.ts'
import { removePlan } from '../../agent/clusters/remove.ts'
import { rotatePlan } from '../../agent/rotate.ts'
import type { ExitCode } from '../../errors.ts'
import type { Call } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'
import { carryOut } from './carry-out.ts'

/** `fleetctl agent add CLUSTER`. */
export async function addCluster(call: Call): Promise<ExitCode> {
  const { options } = call
  const codes = new Set([...listOption(options, 'accept'), ...(options.forceConflicts === true ? ['conflicts'] : [])])
  const request = {
    cluster: call.args[0] ?? '',
    set: textOption(options, 'set'),
    gitOpsCluster: textOption(options, 'gitopscluster'),
    accepted: { frozen: [], lost: listOption(options, 'acceptLost'), codes },
  }
  return carryOut(call, async input => addPlan(request, input))
}

/** `fleetctl agent remove CLUSTER`. */
export async function removeCluster(call: Call): Promise<ExitCode> {
  const request = {
    cluster: call.args[0] ?? '',
    gitOpsCluster: textOption(call.options, 'gitopscluster'),
    acceptLost: listOption(call.options, 'acceptLost'),
  }
  return carryOut(call, async input => removePlan(request, input))
}

/** `fleetctl agent rotate-certs`. */
export async function rotateCertificates(call: Call): Promise<ExitCode> {
  const request = {
    reissue: call.options.reissue !== false,
    gitOpsCluster: textOption(call.options, 'gitopscluster'),
  }
  return carryOut(call, async input => rotatePlan(request, input))
}
