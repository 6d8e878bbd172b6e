import { UsageError } from '../errors.ts'
import type { TranslatedPath } from './jsonpath.ts'
import { translatePath, unquote } from './jsonpath-translate.ts'

export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'path'; readonly path: TranslatedPath; readonly absolute: boolean }
  | {
      readonly type: 'range'
      readonly path: TranslatedPath
      readonly absolute: boolean
      readonly body: readonly TemplateNode[]
    }

type Token = { readonly text: string } | { readonly action: string }

/**
 * Parses kubectl's template: text with actions in braces.
 *
 * @throws UsageError for a brace that is not closed, a `range` without `end`, a path that cannot be understood
 */
export function parseTemplate(template: string): TemplateNode[] {
  const tokens = tokenize(template)
  const nodes = parseNodes(tokens, template, false)
  if (tokens.length > 0) throw new UsageError(`jsonpath "${template}": {end} without {range}`)
  return nodes
}

function parseNodes(tokens: Token[], template: string, inRange: boolean): TemplateNode[] {
  const nodes: TemplateNode[] = []
  for (let token = tokens[0]; token !== undefined; token = tokens[0]) {
    if ('action' in token && token.action === 'end') {
      if (inRange) tokens.shift()
      return nodes
    }
    tokens.shift()
    if ('text' in token) nodes.push({ type: 'text', text: token.text })
    else if (/^range\s/.test(token.action)) {
      const path = token.action.slice(5).trim()
      const body = parseNodes(tokens, template, true)
      nodes.push({ type: 'range', path: translatePath(path, template), absolute: path.startsWith('$'), body })
    } else nodes.push(...parseAction(token.action, template))
  }
  if (inRange) throw new UsageError(`jsonpath "${template}": {range} without {end}`)
  return nodes
}

/** An action holds one or more paths and quoted texts: `{.name}{"\t"}` may stand as `{.name "\t"}`. */
function parseAction(action: string, template: string): TemplateNode[] {
  const nodes: TemplateNode[] = []
  let rest = action.trim()
  while (rest !== '') {
    const quoted = /^"(?:[^"\\]|\\.)*"|^'(?:[^'\\]|\\.)*'/s.exec(rest)?.[0]
    if (quoted !== undefined) {
      nodes.push({ type: 'text', text: unquote(quoted) })
      rest = rest.slice(quoted.length).trim()
      continue
    }
    const path = pathLength(rest)
    nodes.push({
      type: 'path',
      path: translatePath(rest.slice(0, path), template),
      absolute: rest.startsWith('$'),
    })
    rest = rest.slice(path).trim()
  }
  return nodes
}

/** Length of the path at the start of the text: up to a blank outside brackets and quotes. */
function pathLength(text: string): number {
  let depth = 0
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? ''
    if (c === '\\') i++
    else if (quote !== '') quote = c === quote ? '' : quote
    else if (depth > 0 && (c === '"' || c === "'")) quote = c
    else if (c === '[' || c === '(') depth++
    else if (c === ']' || c === ')') depth--
    else if (depth === 0 && /\s/.test(c)) return i
  }
  return text.length
}

function tokenize(template: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < template.length) {
    const open = template.indexOf('{', at)
    const text = template.slice(at, open < 0 ? template.length : open)
    if (text !== '') tokens.push({ text })
    if (open < 0) break
    const close = closingBrace(template, open + 1)
    if (close < 0) throw new UsageError(`jsonpath "${template}": a brace is not closed`)
    tokens.push({ action: template.slice(open + 1, close).trim() })
    at = close + 1
  }
  return tokens
}

function closingBrace(template: string, from: number): number {
  let quote = ''
  for (let i = from; i < template.length; i++) {
    const c = template[i] ?? ''
    if (c === '\\') i++
    else if (quote !== '') quote = c === quote ? '' : quote
    else if (c === '"' || c === "'") quote = c
    else if (c === '}') return i
  }
  return -1
}
