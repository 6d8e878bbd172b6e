import type { ConfigMap } from './records.ts'
import { CONTROLLER_CONFIG_MAP } from './well-known.ts'

/** `pullModel: {basic: {disabled: true}}` in the YAML of key config.yaml (push-pull.md 1.10, gate 4). */
const OFF = /pullModel:[\s\S]*?basic:[\s\S]*?disabled:\s*["']?true/i

/** Does this ConfigMap switch ACM's basic pull model off? */
export function switchesPullOff({ meta, data }: ConfigMap): boolean {
  return meta.name === CONTROLLER_CONFIG_MAP && OFF.test(data['config.yaml'] ?? '')
}
