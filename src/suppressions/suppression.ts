import { UsageError } from '../errors.ts'

/** Something that a person asked not to be told: findings of certain checks on certain objects. */
export interface Suppression {
  /** Where it is from, as messages name it: `--ignore FLT0102`, `.fleetctl.yaml:12`. */
  readonly origin: string
  /** The checks as the person named them: a code, a name, or a glob over either. */
  readonly check: string
  /** Their codes, or globs over codes. */
  readonly codes: readonly string[]
  /** Glob over `namespace/Kind/name` or `Kind/name`. */
  readonly object: string
  /** Glob over the cluster: `hub`, or the name of a ManagedCluster. */
  readonly cluster: string
  readonly reason: string
  readonly owner: string
  /** The last day on which it holds, `YYYY-MM-DD` in UTC; empty for one that does not end. */
  readonly expires: string
}

const DAY = 86_400_000

/** Does a suppression still hold at this time (epoch milliseconds)? It does on the whole of its last day. */
export function holdsAt({ expires }: Suppression, now: number): boolean {
  return expires === '' || now < Date.parse(`${expires}T00:00:00Z`) + DAY
}

/** What it hides, as a flag would say it. */
export function suppressionText({ check, object, cluster }: Suppression): string {
  return `${check}${object === '*' ? '' : `:${object}`}${cluster === '*' ? '' : ` on ${cluster}`}`
}

/** What suppresses a finding, for a person. */
export function suppressedBy({ origin, reason, owner, expires }: Suppression): string {
  const until = expires === '' ? '' : ` until ${expires}`
  return `${origin}${owner === '' ? '' : ` (${owner}${until})`}${reason === '' ? '' : `: ${reason}`}`
}

/**
 * Suppressions of the flag `--ignore`: `CODE` or `CODE:namespace/Kind/name`; both parts may hold globs, and `|` stands
 * between codes of one suppression.
 *
 * @throws UsageError for one without a code
 */
export function parseIgnored(texts: readonly string[]): readonly Suppression[] {
  return texts.map(text => {
    const colon = text.indexOf(':')
    const code = colon < 0 ? text : text.slice(0, colon)
    if (code === '')
      throw new UsageError(`--ignore "${text}" names no check code (form: CODE or CODE:namespace/Kind/name)`)
    const object = colon < 0 ? '*' : text.slice(colon + 1)
    const origin = `--ignore ${text}`
    const check = code.toUpperCase()
    return { origin, check, codes: check.split('|'), object, cluster: '*', reason: '', owner: '', expires: '' }
  })
}
