import { appSetPlan } from '../../agent/appset/make-plan.ts'
import { TARGETS } from '../../agent/choices.ts'
import type { ExitCode } from '../../errors.ts'
import { GITOPS_NAMESPACE } from '../../fleet/well-known.ts'
import type { Call } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'
import { runPlan } from '../plan/produce-plan.ts'
import { parseReference } from '../trace/reference.ts'
import { causesOn } from './causes.ts'
import { readHub } from './make.ts'

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
  return runPlan(
    call,
    async signal => {
      const hub = await readHub(call, signal)
      try {
        return { plan: await appSetPlan(request, { ...hub, now: new Date() }), reader: hub.reader, close: hub.close }
      } catch (error) {
        hub.close()
        throw error
      }
    },
    () => ({ causes: async () => causesOn(call) }),
  )
}
