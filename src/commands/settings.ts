import { dirname, relative, resolve } from 'node:path'
import type { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { SETTABLE, type SettableFlag } from '../settings/flags.ts'
import { loadSettings } from '../settings/load.ts'
import type { FlagSetting, SettingsFile } from '../settings/read.ts'
import { parseOption } from './environment.ts'

/** Commands that read no cluster: a mistake in a settings file must not keep them from answering. */
const WITHOUT_SETTINGS: ReadonlySet<string> = new Set(['completion', 'help', 'version', 'schema', 'explain', 'config'])

/** The command and those above it, with their options. */
function* optionsOf(command: Command): Iterable<readonly [Command, Option]> {
  for (let at: Command | null = command; at !== null; at = at.parent)
    for (const option of at.options) yield [at, option]
}

/** Every option of every command. */
export function* everyOption(command: Command): Iterable<Option> {
  yield* command.options
  for (const below of command.commands) yield* everyOption(below)
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent)
}

/** Name of a flag without its dashes, as settings files have it; empty for one with a short form alone. */
export function nameOf(option: Option): string {
  return option.long?.replace(/^--/, '') ?? ''
}

/** Was the flag given on the command line, in the environment, or by a file before? */
function isSet(command: Command, option: Option): boolean {
  const source = command.getOptionValueSource(option.attributeName())
  return source !== undefined && source !== 'default'
}

/** The settings files that apply, with every value checked. @throws UsageError naming file and line */
export async function checkedSettings(command: Command, context: Context): Promise<readonly SettingsFile[]> {
  const options = [...everyOption(rootOf(command))]
  const files = await loadSettings(
    context,
    options.map(nameOf).filter(name => name !== ''),
  )
  for (const { flags } of files) {
    for (const { flag, values, origin } of flags) {
      const option = options.find(o => nameOf(o) === flag)
      if (option !== undefined) parseOption(option, values, `from ${origin}`)
    }
  }
  return files
}

/**
 * Sets flags that neither the command line nor the environment sets from the settings files: those of the project, then
 * those of the user.
 *
 * @throws UsageError naming file and line
 */
export async function applySettings(command: Command, context: Context): Promise<void> {
  const [group] = [...pathOf(command)].slice(1)
  if (group === undefined || WITHOUT_SETTINGS.has(group)) return
  for (const file of await checkedSettings(command, context)) {
    const given = new Set([...optionsOf(command)].filter(([at, option]) => isSet(at, option)).map(([, o]) => nameOf(o)))
    for (const setting of file.flags) {
      if (given.has(setting.flag) || yields(setting.flag, given)) continue
      for (const [at, option] of optionsOf(command)) {
        if (nameOf(option) !== setting.flag || isSet(at, option)) continue
        const values = valuesFrom(setting, file, context)
        const value = parseOption(option, values, `from ${setting.origin}`)
        at.setOptionValueWithSource(option.attributeName(), value, file.scope)
      }
    }
  }
}

/** Names of the command and those above it, the program first. */
function* pathOf(command: Command): Iterable<string> {
  if (command.parent !== null) yield* pathOf(command.parent)
  yield command.name()
}

/** What says where to read live, or from where else, gives way to a stronger word on the same. */
function yields(flag: string, given: ReadonlySet<string>): boolean {
  const isLive = (name: string): boolean => settable(name)?.live === true
  if (isLive(flag)) return given.has('from')
  return (flag === 'from' || flag === 'hub') && [...given].some(isLive)
}

function settable(flag: string): SettableFlag | undefined {
  return Object.hasOwn(SETTABLE, flag) ? SETTABLE[flag] : undefined
}

/** The values of a setting; paths are meant from the folder of the file. */
export function valuesFrom({ flag, values }: FlagSetting, { path }: SettingsFile, { cwd }: Context): readonly string[] {
  if (settable(flag)?.path !== true) return values
  return values.map(value => (value === '-' ? value : relative(cwd, resolve(dirname(path), value)) || '.'))
}
