import { type Command, Option } from 'commander'
import { infoOf, type SettingName } from '../../bootstrap/settings.ts'
import { UsageError } from '../../errors.ts'
import { collect, commaList, oneOf } from '../flags.ts'

function parserOf(name: SettingName): (value: string, before: unknown) => unknown {
  const { type, values = [], commas, flag } = infoOf(name)
  const long = flag.split(' ')[0] ?? ''
  switch (type) {
    case 'list':
      return commas === true ? commaList : collect
    case 'choice':
      return oneOf(long, values)
    case 'number':
      return value => {
        if (/^\d{1,9}$/.test(value)) return Number(value)
        throw new UsageError(`invalid value "${value}" for ${long}: expected a whole number`)
      }
    default:
      return value => {
        if (value === '') throw new UsageError(`${long} needs a value`)
        return value
      }
  }
}

/** Declares the flag of a setting. */
export function addSetting(command: Command, name: SettingName): void {
  const { type, flag, short, help } = infoOf(name)
  const option = new Option(short === undefined ? flag : `${short}, ${flag}`, help)
  command.addOption(type === 'switch' ? option : option.argParser(parserOf(name)))
}
