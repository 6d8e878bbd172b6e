import { flagOf, infoOf, SETTING_NAMES, type Settings } from './settings.ts'

/** Arguments that say the same: the command that a wizard or a file comes down to. Rules stand in a file and are left out. */
export function commandOf(words: readonly string[], settings: Settings): readonly string[] {
  const args = [...words]
  for (const name of SETTING_NAMES) {
    const value = settings[name]
    const { type, commas } = infoOf(name)
    // The model is a word of the command.
    if (
      value === undefined ||
      value === false ||
      type === 'rules' ||
      (name === 'model' && words.includes(String(value)))
    )
      continue
    const flag = flagOf(name)
    if (value === true) args.push(flag)
    else if (!Array.isArray(value)) args.push(flag, String(value))
    else if (commas === true) args.push(flag, value.join(','))
    else for (const item of value) args.push(flag, String(item))
  }
  return args
}
