import inquirer from 'inquirer'
import { InterruptedError } from '../errors.ts'

/** Prompts are drawn on stderr: stdout carries the result and nothing else. */
const ask = inquirer.createPromptModule({ output: process.stderr })

/** Turns the ways in which a prompt ends without an answer into the interruption that they are. */
async function answered<T>(prompt: Promise<T>): Promise<T> {
  try {
    return await prompt
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'ExitPromptError' || name === 'AbortPromptError' || name === 'CancelPromptError') {
      throw new InterruptedError('SIGINT')
    }
    throw error
  }
}

/** @throws InterruptedError on Ctrl-C */
export async function askYesNo(message: string, byDefault = false): Promise<boolean> {
  const { answer } = await answered(ask([{ type: 'confirm', name: 'answer', message, default: byDefault }]))
  return answer
}

/** @param check what is wrong with an answer, or true. @throws InterruptedError on Ctrl-C */
export async function askText(
  message: string,
  byDefault: string,
  check: (answer: string) => string | true,
): Promise<string> {
  const { answer } = await answered(
    ask([{ type: 'input', name: 'answer', message, default: byDefault, validate: (value: string) => check(value) }]),
  )
  return answer
}

export interface Choice {
  readonly value: string
  readonly name: string
  readonly description?: string
}

/** @throws InterruptedError on Ctrl-C */
export async function askOne(message: string, choices: readonly Choice[], byDefault: string): Promise<string> {
  const { answer } = await answered(
    ask([{ type: 'select', name: 'answer', message, choices: [...choices], default: byDefault }]),
  )
  return String(answer)
}

/** @throws InterruptedError on Ctrl-C */
export async function askSeveral(
  message: string,
  choices: readonly (Choice & { readonly checked: boolean })[],
): Promise<readonly string[]> {
  const { answer } = await answered(
    ask([{ type: 'checkbox', name: 'answer', message, choices: [...choices], required: true }]),
  )
  return Array.isArray(answer) ? answer.map(String) : []
}
