import type { Context } from '../context.ts'
import { COLOUR, PLAIN, type Style } from './style.ts'
import { type Symbols, symbols } from './symbols.ts'

export type ColourWhen = 'auto' | 'always' | 'never'

/**
 * Colour or not. The flag beats the environment; there NO_COLOR and TERM=dumb beat FORCE_COLOR and CLICOLOR_FORCE; without
 * either, a terminal decides.
 */
export function useColour(when: ColourWhen, env: Context['env'], isTerminal: boolean): boolean {
  if (when !== 'auto') return when === 'always'
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.TERM === 'dumb') return false
  if (forced(env.FORCE_COLOR) || forced(env.CLICOLOR_FORCE)) return true
  return isTerminal
}

function forced(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false'
}

/** Can the output show characters outside ASCII? By the locale; on Windows by the terminals that are known to. */
export function usesUnicode(env: Context['env'], platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return env.WT_SESSION !== undefined || env.TERM_PROGRAM !== undefined
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return /utf-?8/i.test(locale)
}

interface Look {
  readonly width: number
  readonly style: Style
  readonly symbols: Symbols
}

/** How the result looks on stdout, or in a file (no terminal there: colour only when it is asked for). */
export function look(context: Context, flags: { color: ColourWhen; emoji: boolean }, to: 'stdout' | 'file'): Look {
  const terminal = to === 'stdout' && context.stdout.isTTY === true
  const colour = to === 'file' ? flags.color === 'always' : useColour(flags.color, context.env, terminal)
  return {
    // Some pseudo-terminals say that they have no columns.
    width: terminal ? context.stdout.columns || 80 : Number.POSITIVE_INFINITY,
    style: colour ? COLOUR : PLAIN,
    symbols: symbols(usesUnicode(context.env, context.platform), flags.emoji),
  }
}
