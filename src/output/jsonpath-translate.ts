import { UsageError } from '../errors.ts'
import type { TranslatedPath } from './jsonpath.ts'

/** `@.path`, `@['key']`, `@`: the left and the right of a comparison may name a field of the item. */
const FIELD = /^@((?:\.[\w-]+|\[(?:'[^'\]]*'|"[^"\]]*"|\d+)\])*)$/
const COMPARISON = /^(.*?)\s*(==|!=|>=|<=|>|<)\s*(.*)$/s

/**
 * One path of kubectl's dialect in jsonpath-plus's: `.items[*].metadata.name`, `..name`, `['a','b']`, `[-1]`, `[0:2]`,
 * `[?(@.type=="Ready")]`, escaped dots in keys.
 *
 * @throws UsageError with the template, at what cannot be understood
 */
export function translatePath(path: string, template: string): TranslatedPath {
  const fail = (at: string): never => {
    throw new UsageError(`jsonpath "${template}": cannot understand "${at}"; expected a path such as .findings[*].code`)
  }
  const literals: Record<string, unknown> = {}
  let filtered = false
  let out = '$'
  let rest = path.replace(/^[$@]/, '')
  if (path === '') return fail('{}')
  if (!/^[.[]/.test(rest) && rest !== '') fail(path)
  while (rest !== '' && rest !== '.') {
    const step = nextStep(rest) ?? fail(rest)
    rest = rest.slice(step.length)
    if (step.kind === 'descend') out += '..'
    else if (step.kind === 'wildcard') out += out.endsWith('..') ? '*' : '[*]'
    else if (step.kind === 'key') out += key(step.key, out)
    else {
      const bracket = translateBracket(step.inner, literals) ?? fail(`[${step.inner}]`)
      filtered ||= step.inner.startsWith('?')
      out += bracket
    }
  }
  return { path: out, literals, filtered }
}

type Step =
  | { readonly kind: 'descend'; readonly length: number }
  | { readonly kind: 'wildcard'; readonly length: number }
  | { readonly kind: 'key'; readonly key: string; readonly length: number }
  | { readonly kind: 'bracket'; readonly inner: string; readonly length: number }

function nextStep(text: string): Step | undefined {
  if (text.startsWith('..')) {
    // `..name`: the dots are one step, the name is the next, which then has no dot of its own.
    return { kind: 'descend', length: text[2] === '[' || text[2] === undefined ? 2 : 1 }
  }
  if (text.startsWith('[')) {
    const close = closingBracket(text)
    return close < 0 ? undefined : { kind: 'bracket', inner: text.slice(1, close).trim(), length: close + 1 }
  }
  if (text.startsWith('.[')) return { kind: 'key', key: '', length: 1 }
  if (text.startsWith('.*')) return { kind: 'wildcard', length: 2 }
  const name = /^\.((?:\\.|[^.[\]\s\\{}()])+)/s.exec(text)
  return name === null
    ? undefined
    : { kind: 'key', key: (name[1] ?? '').replaceAll(/\\(.)/gs, '$1'), length: name[0].length }
}

function key(name: string, before: string): string {
  if (name === '') return ''
  return before.endsWith('..') && /^[\w-]+$/.test(name) ? name : `['${name}']`
}

function closingBracket(text: string): number {
  let quote = ''
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? ''
    if (quote !== '') quote = c === quote ? '' : quote
    else if (c === '"' || c === "'") quote = c
    else if (c === '[') depth++
    else if (c === ']' && --depth === 0) return i
  }
  return -1
}

function translateBracket(inner: string, literals: Record<string, unknown>): string | undefined {
  if (inner === '*') return '[*]'
  const index = /^-?\d+$/.test(inner) ? Number(inner) : undefined
  if (index !== undefined) return index >= 0 ? `[${index}]` : `[${index}:${index === -1 ? '' : index + 1}]`
  if (/^-?\d*:-?\d*(:\d+)?$/.test(inner)) return `[${inner}]`
  if (/^\d+(\s*,\s*\d+)+$/.test(inner)) return `[${inner.replaceAll(/\s/g, '')}]`
  if (inner.startsWith('?')) return translateFilter(inner, literals)
  const keys = [...inner.matchAll(/\s*(?:'([^']*)'|"([^"]*)")\s*(,|$)/gy)]
  const names = keys.map(match => (match[1] ?? match[2] ?? '').replaceAll(/\\(.)/gs, '$1'))
  if (keys.length === 0 || keys.map(match => match[0]).join('') !== inner || names.some(n => /['\]]/.test(n))) {
    return undefined
  }
  // Several names: jsonpath-plus takes them without quotes.
  return names.length === 1 ? `['${names[0]}']` : `[${names.join(',')}]`
}

/** `?(@.a.b == "x")`, `?(@.a)`: one comparison, as kubectl takes it. */
function translateFilter(inner: string, literals: Record<string, unknown>): string | undefined {
  const condition = /^\?\s*\((.*)\)$/s.exec(inner)?.[1]?.trim()
  if (condition === undefined) return undefined
  if (FIELD.test(condition)) return `[?(${field(condition)} !== undefined)]`
  const comparison = COMPARISON.exec(condition)
  if (comparison === null) return undefined
  const [, left = '', operator = '', right = ''] = comparison
  const a = operand(left.trim(), literals)
  const b = operand(right.trim(), literals)
  if (a === undefined || b === undefined) return undefined
  const strict = operator === '==' || operator === '!=' ? `${operator}=` : operator
  return `[?(${a} ${strict} ${b})]`
}

function operand(text: string, literals: Record<string, unknown>): string | undefined {
  if (FIELD.test(text)) return field(text)
  const value = literal(text)
  if (value === undefined) return undefined
  const name = `literal${Object.keys(literals).length}`
  literals[name] = value
  return name
}

/** A dotted key with a dash would be read as a subtraction, so every key goes into brackets. */
function field(text: string): string {
  return text.replaceAll(/\.([\w-]+)/g, "['$1']")
}

function literal(text: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (text === 'true' || text === 'false') return text === 'true'
  return /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')$/s.test(text) ? unquote(text) : undefined
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** The text between the quotes with its escapes resolved. */
export function unquote(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(.)/gs, (_, c: string) => ESCAPES[c] ?? c)
}
