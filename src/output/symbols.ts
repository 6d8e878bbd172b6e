/** Characters that depend on the locale and on `--no-emoji`. */
export interface Symbols {
  /** Marks of a state, with the blank behind them; empty under `--no-emoji`. */
  readonly pass: string
  readonly fail: string
  readonly warn: string
  readonly unknown: string
  readonly skip: string
  /** Tree drawing: a child with siblings below, the last child, and what goes on under each. */
  readonly tee: string
  readonly corner: string
  readonly bar: string
  readonly gap: string
  readonly ellipsis: string
}

const UNICODE_TREE = { tee: '├─ ', corner: '└─ ', bar: '│  ', gap: '   ', ellipsis: '…' }
const ASCII_TREE = { tee: '|- ', corner: '`- ', bar: '|  ', gap: '   ', ellipsis: '...' }
const UNICODE_MARKS = { pass: '✔ ', fail: '✖ ', warn: '▲ ', unknown: '? ', skip: '- ' }
const ASCII_MARKS = { pass: '+ ', fail: 'x ', warn: '! ', unknown: '? ', skip: '- ' }
const NO_MARKS = { pass: '', fail: '', warn: '', unknown: '', skip: '' }

/** Marks and lines of a tree, within what the terminal can show and the user wants. */
export function symbols(unicode: boolean, emoji: boolean): Symbols {
  const tree = unicode ? UNICODE_TREE : ASCII_TREE
  if (!emoji) return { ...tree, ...NO_MARKS }
  return { ...tree, ...(unicode ? UNICODE_MARKS : ASCII_MARKS) }
}
