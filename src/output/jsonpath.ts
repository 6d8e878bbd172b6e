import { JSONPath } from 'jsonpath-plus'
import { UsageError } from '../errors.ts'
import { parseTemplate, type TemplateNode } from './jsonpath-template.ts'

/** The only module that evaluates JSONPath: kubectl's dialect in, jsonpath-plus behind it, never its native evaluation. */

/** A path in jsonpath-plus's dialect, with the literals of its filters apart. */
export interface TranslatedPath {
  readonly path: string
  /** Literals by the name that the path gives them: text of the user's never becomes code. */
  readonly literals: Readonly<Record<string, unknown>>
  readonly filtered: boolean
}

function find(translated: TranslatedPath, root: unknown): unknown[] {
  if (translated.path === '$') return [root]
  // A scalar has no fields, and jsonpath-plus does not take one.
  if (typeof root !== 'object' || root === null) return []
  const found: unknown = JSONPath({
    path: translated.path,
    json: root,
    wrap: true,
    // Plain paths need no expressions at all; filters are built by the translation from comparisons only.
    eval: translated.filtered ? 'safe' : false,
    ...(translated.filtered ? { sandbox: sandbox(translated), ignoreEvalErrors: true } : {}),
  })
  return Array.isArray(found) ? found : []
}

/** The package's types want a Map, its code reads own properties: an object that is both. */
function sandbox({ literals }: TranslatedPath): Map<string, unknown> {
  return Object.assign(new Map<string, unknown>(), literals)
}

/** As kubectl prints a value: text as it is, objects and lists as JSON. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function evaluate(nodes: readonly TemplateNode[], root: unknown, current: unknown): string {
  return nodes
    .map(node => {
      if (node.type === 'text') return node.text
      const found = find(node.path, node.absolute ? root : current)
      if (node.type === 'path') return found.map(valueText).join(' ')
      return found.map(item => evaluate(node.body, root, item)).join('')
    })
    .join('')
}

/**
 * A template of `-o jsonpath`: text, `{.path}`, `{"text"}` and `{range .path}...{end}`; without any brace the whole is one
 * path. A field that is not there prints as nothing.
 *
 * @throws UsageError that says what cannot be understood
 */
export function compileJsonPath(template: string): (document: object) => string {
  const nodes = parseTemplate(template.includes('{') ? template : `{${template}}`)
  return document => evaluate(nodes, document, document)
}

/** A single path, with or without braces and leading dot: what a custom column holds. */
export function compilePath(path: string): (row: object) => unknown[] {
  const inner = path.trim().replace(/^\{(.*)\}$/s, '$1')
  const dotted = /^[.[$@]/.test(inner) ? inner : `.${inner}`
  const node = parseTemplate(`{${dotted}}`)[0]
  if (node?.type !== 'path') throw new UsageError(`"${path}" is not a JSONPath such as .subject.name`)
  return row => find(node.path, row)
}
