import type { Command, Option } from 'commander'

/** What stands at the cursor. */
export interface Place {
  readonly command: Command
  /** Option whose value is being typed. */
  readonly option: Option | undefined
  /** What is put in front of each candidate: `--color=` where the value is part of the word. */
  readonly prefix: string
  readonly typed: string
  /** Arguments of the command that are complete already. */
  readonly args: readonly string[]
  /** Values of the options seen so far, by long flag. */
  readonly values: ReadonlyMap<string, string>
}

/** Options of the command and of all above it. */
export function optionsOf(command: Command | null): Option[] {
  return command === null ? [] : [...command.options, ...optionsOf(command.parent)]
}

/** Follows the words of a command line down the tree of commands; the last word is the one being typed. */
export function locate(program: Command, words: readonly string[]): Place {
  let command = program
  const args: string[] = []
  const values = new Map<string, string>()
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  let open: Option | undefined
  for (const word of before) {
    if (open !== undefined) {
      values.set(open.long ?? '', word)
      open = undefined
      continue
    }
    if (word.startsWith('-')) {
      const [flag = '', value] = split(word)
      const option = optionsOf(command).find(o => o.long === flag || o.short === flag)
      if (option !== undefined && value !== undefined) values.set(option.long ?? '', value)
      else if (option?.required === true) open = option
      continue
    }
    const sub = command.commands.find(c => c.name() === word || c.aliases().includes(word))
    if (sub === undefined) args.push(word)
    else command = sub
  }
  if (open !== undefined) return { command, option: open, prefix: '', typed, args, values }
  const [flag = '', value] = split(typed)
  if (typed.startsWith('--') && value !== undefined) {
    const option = optionsOf(command).find(o => o.long === flag)
    return { command, option, prefix: `${flag}=`, typed: value, args, values }
  }
  return { command, option: undefined, prefix: '', typed, args, values }
}

function split(word: string): [flag: string, value: string | undefined] {
  const cut = word.indexOf('=')
  return cut < 0 ? [word, undefined] : [word.slice(0, cut), word.slice(cut + 1)]
}
