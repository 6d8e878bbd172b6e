/**
 * Semantic versions as the CEL function `semver` of Kubernetes takes them: strict, so `v1.31.4` and `1.31` are none
 * (kubernetes/apiserver pkg/cel/library/semverlib.go, semver.org).
 */
export class Semver {
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  readonly prerelease: readonly string[]

  constructor(core: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    ;[this.major, this.minor, this.patch] = core
    this.prerelease = prerelease
  }

  compareTo(other: Semver): number {
    return (
      order(this.major, other.major) ||
      order(this.minor, other.minor) ||
      order(this.patch, other.patch) ||
      comparePrerelease(this.prerelease, other.prerelease)
    )
  }
}

const NUMBER = '(0|[1-9]\\d*)'
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-([^+]*))?(?:\\+(.*))?$`)
const IDENTIFIERS = /^[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*$/
const NUMERIC = /^\d+$/
const MAX_UINT64 = 2n ** 64n - 1n

/** Parses a version; undefined for text that is none. */
export function parseSemver(text: string): Semver | undefined {
  const match = VERSION.exec(text)
  if (match === null) return undefined
  const [, major = '', minor = '', patch = '', prerelease, build] = match
  if (prerelease !== undefined && !IDENTIFIERS.test(prerelease)) return undefined
  if (build !== undefined && !IDENTIFIERS.test(build)) return undefined
  const identifiers = prerelease?.split('.') ?? []
  if (identifiers.some(id => NUMERIC.test(id) && id.length > 1 && id.startsWith('0'))) return undefined
  const numbers = [major, minor, patch, ...identifiers.filter(id => NUMERIC.test(id))].map(BigInt)
  if (numbers.some(n => n > MAX_UINT64)) return undefined
  return new Semver([BigInt(major), BigInt(minor), BigInt(patch)], identifiers)
}

function order<T>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A version without a pre-release is greater than one with; numeric identifiers come before others. */
function comparePrerelease(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return order(a.length === 0, b.length === 0)
  for (const [i, x] of a.entries()) {
    const y = b[i]
    if (y === undefined) return 1
    const result =
      NUMERIC.test(x) && NUMERIC.test(y)
        ? order(BigInt(x), BigInt(y))
        : order(!NUMERIC.test(x), !NUMERIC.test(y)) || order(x, y)
    if (result !== 0) return result
  }
  return order(a.length, b.length)
}
