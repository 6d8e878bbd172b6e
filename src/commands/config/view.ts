import type { Command } from 'commander'
import { API_VERSION } from '../../checks/report.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import type { ConfigFlag, ConfigView } from '../../output/documents.ts'
import type { View } from '../../output/view.ts'
import type { SettingsFile } from '../../settings/read.ts'
import type { Call } from '../call.ts'
import { parseOption, variableOf } from '../environment.ts'
import { produce } from '../produce.ts'
import { checkedSettings, everyOption, nameOf, valuesFrom } from '../settings.ts'

const CONFIG_VIEW: View<ConfigView> = {
  what: 'config view',
  forms: {
    text: async () => (await import('../../output/config-text.ts')).renderConfig,
    wide: async () => (await import('../../output/config-text.ts')).renderConfigWithOrigin,
  },
  rows: config => config.flags,
  rowKind: 'ConfigFlag',
  names: config => config.flags.map(({ flag }) => ({ group: '', kind: 'flag', name: flag })),
}

/** Flags of every command that are no settings. */
const NO_SETTING: ReadonlySet<string> = new Set(['', 'version', 'help', 'show-origin'])
/** Flags whose value is a secret. */
const SECRET: ReadonlySet<string> = new Set(['token'])

/** `fleetctl config view`: what is set, and where. */
export async function configView(call: Call, program: Command): Promise<ExitCode> {
  const withOrigin = call.options.showOrigin === true
  const view: View<ConfigView> = {
    ...CONFIG_VIEW,
    forms: { ...CONFIG_VIEW.forms, ...(withOrigin ? { text: CONFIG_VIEW.forms.wide ?? fail } : {}) },
  }
  return produce(call, {
    view,
    doing: 'Reading the settings',
    run: () => effective(call, program),
    exitCode: () => EXIT.ok,
  })
}

const fail = (): never => {
  throw new Error('a view has its forms')
}

async function effective(call: Call, program: Command): Promise<ConfigView> {
  const files = await checkedSettings(program, call.context)
  const names = new Set([...everyOption(program)].map(nameOf).filter(name => !NO_SETTING.has(name)))
  const flags = [...names].sort().flatMap(name => {
    const set = fromLine(program, name) ?? fromEnvironment(call, program, name) ?? fromFiles(call, files, name)
    if (set === undefined) return []
    return SECRET.has(name) ? [{ ...set, values: ['<set>'] }] : [set]
  })
  return {
    apiVersion: API_VERSION,
    kind: 'ConfigView',
    files: files.map(({ scope, shown }) => ({ scope, file: shown })),
    flags,
    suppressions: files.flatMap(({ scope, suppressions }) =>
      suppressions.map(({ origin: where, codes: _, ...rest }) => ({ ...rest, origin: scope, where })),
    ),
  }
}

/** Only flags that every command has can be given to this one. */
function fromLine(program: Command, name: string): ConfigFlag | undefined {
  const option = program.options.find(o => nameOf(o) === name)
  const key = option?.attributeName() ?? ''
  if (option === undefined || program.getOptionValueSource(key) !== 'cli') return undefined
  const value: unknown = program.getOptionValue(key)
  const values = option.negate ? ['true'] : (Array.isArray(value) ? value : [value]).map(String)
  return { flag: name, values, origin: 'flag', where: `--${name}` }
}

function fromEnvironment({ context }: Call, program: Command, name: string): ConfigFlag | undefined {
  const where = variableOf(name)
  const value = context.env[where] ?? ''
  if (value === '') return undefined
  const values = value.split(/\r?\n/)
  const option = [...everyOption(program)].find(o => nameOf(o) === name)
  if (option !== undefined) parseOption(option, values, `from ${where}`)
  return { flag: name, values, origin: 'env', where }
}

function fromFiles({ context }: Call, files: readonly SettingsFile[], name: string): ConfigFlag | undefined {
  for (const file of files) {
    const setting = file.flags.find(({ flag }) => flag === name)
    if (setting === undefined) continue
    return { flag: name, values: valuesFrom(setting, file, context), origin: file.scope, where: setting.origin }
  }
  return undefined
}
