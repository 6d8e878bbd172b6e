/** Commands that read, and that roles can be printed for. */
const READING_COMMANDS = ['doctor', 'trace', 'snapshot'] as const
export type ReadingCommand = (typeof READING_COMMANDS)[number]

/** Commands that roles can be printed for; `agent` stands for `bootstrap agent` alone. */
export const RBAC_COMMANDS = [...READING_COMMANDS, 'bootstrap', 'agent'] as const
export type RbacCommand = (typeof RBAC_COMMANDS)[number]

/** Does the command only read? */
export function isReading(command: RbacCommand): command is ReadingCommand {
  return READING_COMMANDS.some(name => name === command)
}
