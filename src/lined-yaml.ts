import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml'
import { UsageError } from './errors.ts'

/** What the parser says, without the line (which stands before it) and without its advice to programmers. */
function syntaxText({ code, message }: YAMLParseError): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins; the file holds one'
  return `not valid YAML: ${(message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')}`
}

/** A YAML file that a person writes for fleetctl, read so that every complaint names the line. */
export class LinedYaml {
  readonly file: string
  readonly #lines: LineCounter
  readonly #document: Document

  /**
   * @param file its name, for messages
   * @throws UsageError with the line where the text is not YAML
   */
  constructor(text: string, file: string) {
    this.file = file
    this.#lines = new LineCounter()
    this.#document = parseDocument(text, { lineCounter: this.#lines })
    const [error] = this.#document.errors
    if (error === undefined) return
    const line = error.linePos?.[0].line
    throw new UsageError(`${file}${line === undefined ? '' : `:${line}`}: ${syntaxText(error)}`)
  }

  /** The node at the top; null for an empty file. */
  get root(): Node | null {
    return this.#document.contents
  }

  /** Line of a node, from 1; undefined for one that is not there. */
  line(node: Node | null | undefined): number | undefined {
    const offset = node?.range?.[0]
    return offset === undefined ? undefined : this.#lines.linePos(offset).line
  }

  /** @throws UsageError naming file and line */
  fail(node: Node | null | undefined, message: string): never {
    const line = this.line(node)
    throw new UsageError(`${this.file}${line === undefined ? '' : `:${line}`}: ${message}`)
  }

  /** The value of a node as plain data. */
  value(node: Node | null): unknown {
    return node?.toJS(this.#document)
  }

  /** Pairs of a map with text keys. */
  *pairs(map: YAMLMap): Iterable<readonly [key: string, keyNode: Node, value: Node | null]> {
    for (const pair of map.items) {
      if (!isPair(pair) || !isScalar(pair.key)) this.fail(isNode(pair.key) ? pair.key : map, 'a key must be a text')
      yield [String(pair.key.value), pair.key, (pair.value ?? null) as Node | null]
    }
  }

  map(node: Node | null, what: string): YAMLMap {
    return isMap(node) ? node : this.fail(node, `${what} must be a map`)
  }

  /**
   * The parts of a versioned document beside its `apiVersion`, `kind` and `metadata`, by key.
   *
   * @param keys the parts that there are
   * @throws UsageError for another version or kind, and for a key that is none of these
   */
  parts<K extends string>(kind: string, keys: readonly K[]): ReadonlyMap<K, Node | null> {
    const root = this.map(this.root, `a ${kind}`)
    const parts = new Map<K, Node | null>()
    const seen = new Set<string>()
    for (const [key, keyNode, value] of this.pairs(root)) {
      seen.add(key)
      const is = isScalar(value) ? value.value : undefined
      if (key === 'apiVersion' && is !== API_VERSION) this.fail(value ?? keyNode, `apiVersion must be ${API_VERSION}`)
      if (key === 'kind' && is !== kind) this.fail(value ?? keyNode, `kind must be ${kind}`)
      if (key === 'apiVersion' || key === 'kind' || key === 'metadata') continue
      const part = keys.find(known => known === key)
      if (part === undefined)
        this.fail(keyNode, `unknown key "${key}"; a ${kind} has apiVersion, kind and ${keys.join(', ')}`)
      parts.set(part, value)
    }
    for (const key of ['apiVersion', 'kind']) {
      if (!seen.has(key)) this.fail(root, `${key} is missing; a ${kind} begins with apiVersion: ${API_VERSION}`)
    }
    return parts
  }
}

const API_VERSION = 'fleetctl/v1'
