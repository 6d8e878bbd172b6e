import { parse } from 'yaml'
import { readRules } from '../../bootstrap/access-rules.ts'
import { readBootstrapFile } from '../../bootstrap/config-file.ts'
import { flagOf, infoOf, SETTING_NAMES, type SettingName, type Settings } from '../../bootstrap/settings.ts'
import { UsageError } from '../../errors.ts'
import type { AccessRule } from '../../plan/manifests/service-account.ts'
import type { Call } from '../call.ts'
import { textOption } from '../flag-values.ts'
import { readText } from '../read-text.ts'
import type { BootstrapStep } from './steps.ts'

async function rules(call: Call, path: string): Promise<readonly AccessRule[]> {
  const content = await readText(call, path, '--rules')
  let value: unknown
  try {
    value = parse(content)
  } catch (cause) {
    throw new UsageError(`"${path}" of --rules is no YAML`, { cause })
  }
  const read = readRules(value)
  if (typeof read === 'string') throw new UsageError(`"${path}" of --rules: ${read}`)
  return read
}

/** The settings of the flags alone; commander and the parsers of the flags have checked their types. */
async function fromFlags(call: Call, step: BootstrapStep): Promise<Settings> {
  const settings: Record<string, unknown> = {}
  for (const name of step.settings) {
    const value = call.options[name]
    if (value === undefined) continue
    settings[name] = infoOf(name).type === 'rules' && typeof value === 'string' ? await rules(call, value) : value
  }
  const argument = call.args[0]
  if (step.argument !== undefined && argument !== undefined) settings[step.argument.setting] = argument
  return settings
}

/** @throws UsageError for settings of the file that the command has no use for */
function fitting(settings: Settings, step: BootstrapStep): Settings {
  const taken = new Set<SettingName>([...step.settings, ...(step.argument ? [step.argument.setting] : [])])
  for (const name of SETTING_NAMES) {
    if (settings[name] === undefined || taken.has(name)) continue
    if (name === 'model' && (step.model === undefined || settings.model === step.model)) continue
    throw new UsageError(
      name === 'model'
        ? `the file is for model ${settings.model}, the command for ${step.model}`
        : `"${infoOf(name).file.join('.')}" of the file (${flagOf(name)}) has no meaning for bootstrap ${step.name}`,
    )
  }
  return settings
}

/** Settings of the file that -f names, if any. */
export async function fileSettings(call: Call): Promise<Settings> {
  const path = textOption(call.options, 'filename')
  return path === undefined ? {} : readBootstrapFile(await readText(call, path, '-f'), path === '-' ? 'stdin' : path)
}

/** The settings of a command: the file's, and over them those of the flags. */
export async function gatherSettings(call: Call, step: BootstrapStep, file: Settings): Promise<Settings> {
  return { ...fitting(file, step), ...(await fromFlags(call, step)) }
}
