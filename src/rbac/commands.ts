/** Commands that read, and that roles can be printed for. */
const READING_COMMANDS = ['doctor', 'trace', 'snapshot'] as const
export type ReadingCommand = (typeof READING_COMMANDS)[number]

/** Commands that write. `agent` stands for `bootstrap agent` and every `agent` command, `fix` for `doctor fix`. */
export const WRITING_COMMANDS = ['bootstrap', 'agent', 'fix'] as const
export type WritingCommand = (typeof WRITING_COMMANDS)[number]

/** Commands that roles can be printed for. */
export const RBAC_COMMANDS = [...READING_COMMANDS, ...WRITING_COMMANDS] as const
export type RbacCommand = (typeof RBAC_COMMANDS)[number]

/** Does the command only read? */
export function isReading(command: RbacCommand): command is ReadingCommand {
  return READING_COMMANDS.some(name => name === command)
}
