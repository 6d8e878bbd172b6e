import { appSetPlan } from '../../agent/appset/make-plan.ts'
import { TARGETS } from '../../agent/choices.ts'
import type { ExitCode } from '../../errors.ts'
import { GITOPS_NAMESPACE } from '../../fleet/well-known.ts'
import type { Call } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'
import { parseReference } from '../trace/reference.ts'
import { carryOut } from './carry-out.ts'

/** `fleetctl agent appset NAME`. */
export async function turnAppSet(call: Call): Promise<ExitCode> {
  const ref = parseReference(call.args[0] ?? '', 'appset', textOption(call.options, 'namespace'))
  const request = {
    namespace: ref.namespace,
    name: ref.name,
    target: TARGETS.find(name => name === call.options.to) ?? 'agent',
    destinationName: textOption(call.options, 'destinationName'),
    spokeNamespace: textOption(call.options, 'spokeNamespace') ?? GITOPS_NAMESPACE,
    acceptLost: listOption(call.options, 'acceptLost'),
    accepted: new Set(listOption(call.options, 'accept')),
  } as const
  return carryOut(call, async input => appSetPlan(request, input))
}
