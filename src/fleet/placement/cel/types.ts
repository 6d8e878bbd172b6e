import type { ASTNode } from '@marcbachmann/cel-js'

/** Types that are told apart. `dyn` is whatever only the run can tell, and fits everywhere. */
export type Kind = 'string' | 'int' | 'bool' | 'semver' | 'list' | 'optional' | 'dyn'
export interface Signature {
  /** Type of the receiver, or of a function's first argument, then of the (other) arguments. */
  readonly takes: readonly Kind[]
  readonly gives: Kind
  /** Right for ASCII text only: JavaScript counts and changes characters in another way. */
  readonly ascii?: true
}

const signature = (gives: Kind, ...takes: readonly Kind[]): Signature => ({ takes, gives })
const ascii = (gives: Kind, ...takes: readonly Kind[]): Signature => ({ takes, gives, ascii: true })

/** Functions by name and number of arguments. */
export const FUNCTIONS: Readonly<Record<string, Signature>> = {
  'size/1': signature('int', 'dyn'),
  'semver/1': signature('semver', 'string'),
  'isSemver/1': signature('bool', 'string'),
  'string/1': signature('string', 'dyn'),
}
/** Methods by name and number of arguments. */
export const METHODS: Readonly<Record<string, Signature>> = {
  'startsWith/1': signature('bool', 'string', 'string'),
  'endsWith/1': signature('bool', 'string', 'string'),
  'contains/1': signature('bool', 'string', 'string'),
  'matches/1': signature('bool', 'string', 'string'),
  'size/0': signature('int', 'dyn'),
  'orValue/1': signature('string', 'optional', 'string'),
  'hasValue/0': signature('bool', 'optional'),
  'isGreaterThan/1': signature('bool', 'semver', 'semver'),
  'isLessThan/1': signature('bool', 'semver', 'semver'),
  'compareTo/1': signature('int', 'semver', 'semver'),
  'major/0': signature('int', 'semver'),
  'minor/0': signature('int', 'semver'),
  'patch/0': signature('int', 'semver'),
  'lowerAscii/0': ascii('string', 'string'),
  'upperAscii/0': ascii('string', 'string'),
  'substring/1': ascii('string', 'string', 'int'),
  'substring/2': ascii('string', 'string', 'int', 'int'),
  'split/1': ascii('list', 'string', 'string'),
  'replace/2': ascii('string', 'string', 'string', 'string'),
}

/** Variables of the macros around a node, with their types. */
export type Scope = ReadonlyMap<string, Kind>

/** The type of a node as far as it is certain, else `dyn`. */
export function kindOf(node: ASTNode, scope: Scope): Kind {
  switch (node.op) {
    case 'value':
      return typeof node.args === 'string' ? 'string' : typeof node.args === 'bigint' ? 'int' : 'bool'
    case 'list':
      return 'list'
    case 'call':
      return FUNCTIONS[`${node.args[0]}/${node.args[1].length}`]?.gives ?? 'bool'
    case 'rcall': {
      const [name, , args] = node.args
      if (name === 'filter' || name === 'map') return 'list'
      return METHODS[`${name}/${args.length}`]?.gives ?? 'bool'
    }
    case '?:': {
      const kind = kindOf(node.args[1], scope)
      return kindOf(node.args[2], scope) === kind ? kind : 'dyn'
    }
    case '.?':
    case '[?]':
      return 'optional'
    case '.':
      return kindOf(node.args[0], scope) === 'optional' ? 'optional' : 'dyn'
    case '[]':
      return kindOf(node.args[0], scope) === 'optional' ? 'optional' : itemKind(node.args[0], scope)
    case 'id':
      return scope.get(node.args) ?? 'dyn'
    default:
      return 'bool'
  }
}

/** The type of the items of a list, as far as it is certain. */
export function itemKind(node: ASTNode, scope: Scope): Kind {
  if (node.op === 'list') return node.args[0] === undefined ? 'dyn' : kindOf(node.args[0], scope)
  if (node.op !== 'rcall') return 'dyn'
  const [name, receiver, [first, second]] = node.args
  if (name === 'split') return 'string'
  if (name === 'filter') return itemKind(receiver, scope)
  if (name !== 'map' || first?.op !== 'id' || second === undefined) return 'dyn'
  return kindOf(second, new Map([...scope, [first.args, itemKind(receiver, scope)]]))
}
