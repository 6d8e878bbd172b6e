import type { Command } from 'commander'

interface HelpText {
  readonly formats?: string
  /** Comment and arguments, without the program's name. */
  readonly examples: readonly (readonly [comment: string, args: string])[]
  readonly exitCodes: readonly number[]
  readonly permissions: string
}

const MEANINGS: Readonly<Record<number, string>> = {
  0: 'did what was asked; nothing found at or above the threshold',
  1: 'findings at or above the threshold, or a broken trace',
  2: 'usage or configuration error',
  3: 'something needed could not be seen, so health is unknown',
  4: 'the hub cannot be reached or does not let the user in',
  5: 'the time limit was exceeded',
  6: 'refused, nothing was written: not confirmed, out of date, or a danger that is not accepted',
  7: 'written in part; the journal and the way on are printed',
}

/** What stands below the flags of a command's help: formats, examples, exit codes, permissions. */
export function helpText(command: Command, { formats, examples, exitCodes, permissions }: HelpText): string {
  let top = command
  while (top.parent !== null) top = top.parent
  const lines = ['']
  if (formats !== undefined) lines.push('Output formats:', ...fold(formats), '')
  lines.push('Examples:')
  examples.forEach(([comment, args], i) => {
    if (i > 0) lines.push('')
    lines.push(`  # ${comment}`, `  ${top.name()} ${args}`)
  })
  lines.push('', 'Exit codes:', ...exitCodes.map(code => `  ${code}  ${MEANINGS[code] ?? ''}`))
  lines.push('', `Permissions: ${permissions}.`)
  return lines.join('\n')
}

/** Folds a list of words at 78 columns, two blanks in front. */
function fold(text: string): string[] {
  const lines: string[] = []
  let line = ' '
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > 78) {
      lines.push(line)
      line = ' '
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
