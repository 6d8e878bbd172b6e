/** Puts a text in a colour of the terminal, or leaves it as it is. A state never speaks by colour alone. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  yellow(text: string): string
  green(text: string): string
  cyan(text: string): string
}

const sgr = (on: number, off: number) => (text: string) => `\x1b[${on}m${text}\x1b[${off}m`
const plain = (text: string) => text

export const COLOUR: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  yellow: sgr(33, 39),
  green: sgr(32, 39),
  cyan: sgr(36, 39),
}

export const PLAIN: Style = { bold: plain, dim: plain, red: plain, yellow: plain, green: plain, cyan: plain }
