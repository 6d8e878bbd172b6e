import { AGENT_GATE_CODES, AGENT_SETTINGS, SET_UPS } from '../../agent/choices.ts'
import type { AgentRequest } from '../../agent/make-agent-plan.ts'
import { checkNamespace } from '../../bootstrap/names.ts'
import type { SettingName } from '../../bootstrap/settings.ts'
import { acceptedBy } from '../accepted.ts'
import { gatherSettings } from '../bootstrap/gather.ts'
import type { Call } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'

/** What the flags ask for. @throws UsageError where they are no sense */
export async function agentRequest(call: Call, words: readonly string[]): Promise<AgentRequest> {
  const codes = acceptedBy(call, AGENT_GATE_CODES)
  const settings: readonly SettingName[] = AGENT_SETTINGS
  const step = {
    name: 'agent',
    summary: '',
    description: '',
    parts: [],
    model: 'agent',
    settings,
    examples: [],
  } as const
  const namespace = textOption(call.options, 'agentNamespace')
  return {
    words,
    setup: SET_UPS.find(name => name === call.options.setup),
    settings: await gatherSettings(call, step, {}),
    agentNamespace: namespace === undefined ? undefined : checkNamespace(namespace, '--agent-namespace'),
    accepted: {
      frozen: listOption(call.options, 'acceptFrozen'),
      lost: listOption(call.options, 'acceptLost'),
      codes,
    },
  }
}
