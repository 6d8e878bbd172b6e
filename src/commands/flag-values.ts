import type { ColourWhen } from '../output/terminal.ts'

/** Flags that mean the same on every command. */
export interface CommonFlags {
  readonly from: string | undefined
  readonly hub: string | undefined
  readonly output: readonly string[]
  readonly color: ColourWhen
  readonly emoji: boolean
  readonly headers: boolean
  readonly input: boolean
  readonly quiet: boolean
  readonly verbose: number
  /** Milliseconds; 0 is no limit. */
  readonly timeout: number
}

/** What commander hands over: nothing is known about the values until they are narrowed. */
export type RawOptions = Readonly<Record<string, unknown>>

/** Value of a flag that takes a text; undefined where it was not given. */
export function textOption(options: RawOptions, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** Values of a flag that can be given several times, or with commas. */
export function listOption(options: RawOptions, name: string): string[] {
  const value = options[name]
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

/** The flags that every command takes. */
export function commonFlags(options: RawOptions): CommonFlags {
  const color = textOption(options, 'color')
  const { verbose, timeout } = options
  return {
    from: textOption(options, 'from'),
    hub: textOption(options, 'hub'),
    output: listOption(options, 'output'),
    color: color === 'always' || color === 'never' ? color : 'auto',
    emoji: options.emoji !== false,
    headers: options.headers !== false,
    input: options.input !== false,
    quiet: options.quiet === true,
    verbose: typeof verbose === 'number' ? verbose : 0,
    timeout: typeof timeout === 'number' ? timeout : 0,
  }
}
