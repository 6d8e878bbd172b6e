import { Environment, ParseError } from '@marcbachmann/cel-js'
import type { ManagedCluster } from '../../records.ts'
import type { CelCompiler, CelProgram } from '../cel.ts'
import { type CelValue, clusterObject } from './cluster-object.ts'
import { judge, type Verdict } from './guard.ts'
import { parseSemver, Semver } from './semver.ts'

function strictSemver(text: string): Semver {
  const version = parseSemver(text)
  if (version === undefined) throw new Error(`not a semantic version: ${text}`)
  return version
}

/** The part of OCM's environment that is evaluated here. */
function environment(): Environment {
  return new Environment({ enableOptionalTypes: true })
    .registerType('Semver', Semver)
    .registerVariable('managedCluster', 'map<string, dyn>')
    .registerFunction('semver(string): Semver', strictSemver)
    .registerFunction('isSemver(string): bool', (text: string) => parseSemver(text) !== undefined)
    .registerFunction('Semver.isGreaterThan(Semver): bool', (a: Semver, b: Semver) => a.compareTo(b) > 0)
    .registerFunction('Semver.isLessThan(Semver): bool', (a: Semver, b: Semver) => a.compareTo(b) < 0)
    .registerFunction('Semver.compareTo(Semver): int', (a: Semver, b: Semver) => BigInt(a.compareTo(b)))
    .registerFunction('Semver.major(): int', (v: Semver) => v.major)
    .registerFunction('Semver.minor(): int', (v: Semver) => v.minor)
    .registerFunction('Semver.patch(): int', (v: Semver) => v.patch)
    .registerFunction('string.replace(string, string): string', (s: string, from: string, to: string) =>
      s.replaceAll(from, () => to),
    )
}

/** Text that the library's parser may refuse although cel-go takes it: escapes, optionals, comments, prefixes, a leading dot. */
const EXOTIC = /[`\\?]|\/\/|'''|"""|\b[rRbB]+['"]|(^|\bin|[([{,:=<>!&|+\-*/%])\s*\./
/** Text that it may take although cel-go refuses it: escapes, and a comma after the last argument. */
const LENIENT = /\\|,\s*\)/

const NON_ASCII = /[^\p{ASCII}]/u

function hasNonAscii(value: CelValue): boolean {
  if (typeof value === 'string') return NON_ASCII.test(value)
  if (value instanceof Map) return [...value].some(([key, item]) => NON_ASCII.test(key) || hasNonAscii(item))
  return Array.isArray(value) && value.some(hasNonAscii)
}

/** Whether the record holds what an expression reads. A list of conditions without entries may be null or empty in Go. */
function known(cluster: ManagedCluster, { fields }: Verdict): boolean {
  if (fields.has('status.capacity') && cluster.capacity === undefined) return false
  if (fields.has('status.allocatable') && cluster.allocatable === undefined) return false
  return !fields.has('status.conditions') || cluster.conditions.length > 0
}

const unknown = (reason: string): CelProgram => ({ state: 'unknown', reason })

/** The compiler of `loadCel`; apart, so that the library is loaded only by those who evaluate. */
export function createCel(): CelCompiler {
  const env = environment()
  const objects = new WeakMap<ManagedCluster, ReadonlyMap<string, CelValue>>()
  const objectOf = (cluster: ManagedCluster): ReadonlyMap<string, CelValue> => {
    const made = objects.get(cluster) ?? clusterObject(cluster)
    objects.set(cluster, made)
    return made
  }

  const compile: CelCompiler = expression => {
    let parsed: ReturnType<Environment['parse']>
    try {
      parsed = env.parse(expression)
    } catch (error) {
      if (!(error instanceof ParseError) || error.code === 'limit_exceeded' || EXOTIC.test(expression)) {
        return unknown('it cannot be parsed here')
      }
      return { state: 'invalid', message: `syntax error: ${error.summary}` }
    }
    const verdict = judge(parsed.ast)
    if (verdict.undeclared !== undefined && !EXOTIC.test(expression)) {
      return { state: 'invalid', message: `undeclared reference to '${verdict.undeclared}'` }
    }
    if (verdict.unknown !== undefined) return unknown(verdict.unknown)
    if (LENIENT.test(expression)) return unknown('its syntax is not evaluated here')
    const { valid, error } = parsed.check()
    if (!valid) return unknown(`its types do not fit (${error?.summary ?? 'no reason given'})`)
    return {
      state: 'compiled',
      matches: cluster => {
        if (!known(cluster, verdict)) return undefined
        const managedCluster = objectOf(cluster)
        if (verdict.asciiOnly && hasNonAscii(managedCluster)) return undefined
        try {
          return parsed({ managedCluster }) === true
        } catch {
          return false
        }
      },
    }
  }

  const programs = new Map<string, CelProgram>()
  return expression => {
    const program = programs.get(expression) ?? compile(expression)
    programs.set(expression, program)
    return program
  }
}
