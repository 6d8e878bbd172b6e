import inquirer from 'inquirer'
import type { Asker } from '../bootstrap/wizard.ts'
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

/** The person at the terminal. Every question ends with an InterruptedError on Ctrl-C. */
export const terminalAsker: Asker = {
  async text(message, byDefault, check) {
    const { answer } = await answered(
      ask([
        {
          type: 'input',
          name: 'answer',
          message,
          ...(byDefault === '' ? {} : { default: byDefault }),
          validate: (value: string) => check(value),
        },
      ]),
    )
    return answer
  },
  async one(message, choices, byDefault) {
    const { answer } = await answered(
      ask([{ type: 'select', name: 'answer', message, choices: [...choices], default: byDefault }]),
    )
    return String(answer)
  },
  async several(message, choices) {
    const { answer } = await answered(
      ask([{ type: 'checkbox', name: 'answer', message, choices: [...choices], required: true }]),
    )
    return Array.isArray(answer) ? answer.map(String) : []
  },
}
