import type { ASTNode } from '@marcbachmann/cel-js'
import { CLUSTER_FIELDS } from './cluster-object.ts'
import { FUNCTIONS, itemKind, type Kind, kindOf, METHODS, type Scope, type Signature } from './types.ts'

/**
 * Which CEL expressions are evaluated here. The library differs from cel-go, which the placement controller uses, in functions,
 * type rules and corner cases, so only constructs that were compared with the real environment are let through
 * (open-cluster-management-io/ocm pkg/placement/helpers/cel.go, sdk-go pkg/cel). All else is left open, never guessed.
 */
export interface Verdict {
  /** An identifier that the controller does not declare: the expression does not compile there. */
  readonly undeclared: string | undefined
  /** What is not evaluated here, for a person. */
  readonly unknown: string | undefined
  /** Second-level fields that are read, as `status.capacity`. */
  readonly fields: ReadonlySet<string>
  /** Uses functions that count or change characters and are right for ASCII only. */
  readonly asciiOnly: boolean
}

const OPERATORS: ReadonlySet<string> = new Set(['||', '&&', '==', '!=', '<', '<=', '>', '>=', 'in'])
const MACROS: ReadonlySet<string> = new Set(['exists/2', 'all/2', 'exists_one/2', 'filter/2', 'map/2'])
/** Identifiers of CEL itself and of extensions: declared, but not evaluated here. */
const NAMESPACES: ReadonlySet<string> = new Set(
  (
    'bool bytes double duration dyn int list map null_type optional optional_type string timestamp type uint ' +
    'google kubernetes net format strings math cel base64 sets'
  ).split(' '),
)
/** More than this could exceed the controller's cost limit of an expression. */
const MAX_NESTED_MACROS = 2
const MAX_INT64 = 2n ** 63n - 1n
/** Patterns that RE2 (cel-go) and JavaScript read alike. */
const PLAIN_PATTERN = /^(?!.*(\(\?|\[\[|\[\]|\[\^\]|[*+?^(|][*+?]))(?![*+?])[\w.\-/: |()^$+*?[\]]*$/

type NodeOf<Op extends ASTNode['op']> = Extract<ASTNode, { readonly op: Op }>

/** One walk over a parsed expression. `depth` counts the macros around a node. */
class Walk implements Verdict {
  undeclared: string | undefined
  unknown: string | undefined
  readonly fields = new Set<string>()
  asciiOnly = false

  #leave(what: string): void {
    this.unknown ??= `${what} is not evaluated here`
  }

  #visitAll(nodes: readonly ASTNode[], scope: Scope, depth: number): void {
    for (const node of nodes) this.visit(node, scope, depth)
  }

  visit(node: ASTNode, scope: Scope, depth: number): void {
    switch (node.op) {
      case 'value':
        this.#literal(node.args)
        break
      case 'id':
        this.#identifier(node.args, scope)
        break
      case '.':
      case '.?':
      case '[]':
      case '[?]':
        this.#access(node, scope, depth)
        break
      case 'call':
        this.#call(node, scope, depth)
        break
      case 'rcall':
        this.#method(node, scope, depth)
        break
      case 'list':
      case '?:':
        if (node.op === '?:') this.#expect('?:', ['bool', kindOf(node.args[2], scope)], node.args, scope)
        this.#visitAll(node.args, scope, depth)
        break
      case 'map':
        this.#leave('a map literal')
        this.#visitAll(node.args.flat(), scope, depth)
        break
      case '!_':
      case '-_':
        if (node.op === '-_') this.#leave('arithmetic')
        this.#expect('!', ['bool'], [node.args], scope)
        this.visit(node.args, scope, depth)
        break
      default:
        this.#operator(node.op, node.args, scope)
        this.#visitAll(node.args, scope, depth)
    }
  }

  #operator(op: string, [left, right]: readonly [ASTNode, ASTNode], scope: Scope): void {
    if (!OPERATORS.has(op)) this.#leave('arithmetic')
    else if (op === '||' || op === '&&') this.#expect(op, ['bool', 'bool'], [left, right], scope)
    else if (op === 'in') this.#expect(op, [itemKind(right, scope), 'list'], [left, right], scope)
    else this.#expect(op, [kindOf(right, scope)], [left], scope)
  }

  /**
   * Types as cel-go checks them before it runs anything. The library leaves more to the run, where the Placement would not be
   * misconfigured but select nothing.
   */
  #expect(name: string, takes: readonly Kind[], args: readonly ASTNode[], scope: Scope): void {
    for (const [i, taken] of takes.entries()) {
      const arg = args[i]
      const given = arg === undefined ? 'dyn' : kindOf(arg, scope)
      if (taken !== 'dyn' && given !== 'dyn' && given !== taken) this.#leave(`\`${name}\` of ${given}`)
    }
  }

  #literal(value: unknown): void {
    if (typeof value === 'string' || typeof value === 'boolean') return
    if (typeof value !== 'bigint' || value > MAX_INT64) this.#leave('a literal that is no string, bool or int')
  }

  #identifier(name: string, scope: Scope): void {
    if (scope.has(name)) return
    if (name === 'managedCluster') this.#leave('`managedCluster` as a whole')
    else if (NAMESPACES.has(name)) this.#leave(`\`${name}\``)
    else this.undeclared ??= name
  }

  /** A chain of fields and indexes. One that starts at `managedCluster` must lead to a field that the record holds. */
  #access(node: NodeOf<'.' | '.?' | '[]' | '[?]'>, scope: Scope, depth: number): void {
    const keys: string[] = []
    let base: ASTNode = node
    while (base.op === '.' || base.op === '.?' || base.op === '[]' || base.op === '[?]') {
      const [of, key]: readonly [ASTNode, ASTNode | string] = base.args
      // a list has no fields, but that the library notices itself
      this.#expect('field of', [kindOf(of, scope) === 'optional' ? 'optional' : 'list'], [of], scope)
      if (typeof key === 'string') keys.unshift(key)
      else {
        keys.unshift(key.op === 'value' && typeof key.args === 'string' ? key.args : '*')
        this.visit(key, scope, depth)
      }
      base = of
    }
    if (base.op === 'id' && base.args === 'managedCluster' && !scope.has('managedCluster')) this.#field(keys)
    else this.visit(base, scope, depth)
  }

  #field(keys: readonly string[]): void {
    const name = keys.slice(0, 2).join('.')
    const kind = keys.length < 2 ? undefined : CLUSTER_FIELDS[name]
    if (kind === undefined || (kind === 'keyed' && keys.length < 3)) this.#leave(`\`managedCluster.${name}\``)
    this.fields.add(name)
  }

  #call(node: NodeOf<'call'>, scope: Scope, depth: number): void {
    const [name, args] = node.args
    if (name !== 'has' || args.length !== 1) this.#signature(name, FUNCTIONS[`${name}/${args.length}`], args, scope)
    else if (args[0]?.op !== '.') this.#leave('`has` of anything but a field')
    this.#visitAll(args, scope, depth)
  }

  #method(node: NodeOf<'rcall'>, scope: Scope, depth: number): void {
    const [name, receiver, args] = node.args
    const [first, second] = args
    if (MACROS.has(`${name}/${args.length}`) && first?.op === 'id' && second !== undefined) {
      if (depth >= MAX_NESTED_MACROS) this.#leave('a macro inside a macro inside a macro')
      const inner = new Map([...scope, [first.args, itemKind(receiver, scope)]])
      this.#expect(name, ['list'], [receiver], scope)
      this.visit(receiver, scope, depth)
      this.#expect(name, [name === 'map' ? 'dyn' : 'bool'], [second], inner)
      this.visit(second, inner, depth + 1)
      return
    }
    const known = METHODS[`${name}/${args.length}`]
    this.#signature(name, known, [receiver, ...args], scope)
    if (name === 'matches') {
      const pattern = first?.op === 'value' ? first.args : undefined
      if (typeof pattern !== 'string' || !PLAIN_PATTERN.test(pattern)) this.#leave('this regular expression')
    }
    this.visit(receiver, scope, depth)
    // an unknown method may be a macro that brings variables of its own, so its arguments are not looked at
    if (known !== undefined) this.#visitAll(args, scope, depth)
  }

  #signature(name: string, known: Signature | undefined, args: readonly ASTNode[], scope: Scope): void {
    if (known === undefined) {
      this.#leave(`function \`${name}\``)
      return
    }
    this.asciiOnly ||= known.ascii === true
    this.#expect(name, known.takes, args, scope)
  }
}

/** Looks through a parsed expression. */
export function judge(ast: ASTNode): Verdict {
  const walk = new Walk()
  walk.visit(ast, new Map(), 0)
  return walk
}
