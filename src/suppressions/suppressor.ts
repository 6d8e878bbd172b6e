import type { ReportedFinding } from '../checks/report.ts'
import { withExplained } from '../findings/evaluated.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { globMatches } from '../fleet/joins/spoke-argo.ts'
import { recordOf } from '../fleet/record-of.ts'
import type { StringMap } from '../fleet/records.ts'
import { holdsAt, type Suppression, suppressedBy } from './suppression.ts'

/** Annotation on an object by which its owner silences checks: a comma list of codes. */
export const IGNORE_ANNOTATION = 'fleetctl.io/ignore'

/** Codes that an object's annotation silences. */
export function ignoredCodes(annotations: StringMap): string[] {
  const codes = annotations[IGNORE_ANNOTATION]?.split(',').map(code => code.trim()) ?? []
  return codes.filter(code => code !== '')
}

function matches({ codes, object, cluster }: Suppression, finding: ReportedFinding): boolean {
  const { subject: s } = finding
  const text = `${s.namespace === '' ? '' : `${s.namespace}/`}${s.kind}/${s.name}`
  if (!codes.some(code => globMatches(code, finding.code))) return false
  return globMatches(object, text) && globMatches(cluster, s.cluster)
}

/** Decides which findings are suppressed, and remembers which suppressions met one. */
export class Suppressor {
  readonly #fleet: Fleet
  readonly #all: readonly Suppression[]
  readonly #used = new Set<Suppression>()

  constructor(fleet: Fleet, all: readonly Suppression[]) {
    this.#fleet = fleet
    this.#all = all
  }

  /** Says what suppresses a finding, or undefined. What a suppressed finding explains goes with it. */
  by(finding: ReportedFinding): string | undefined {
    // A suppression of a consequence is of use too: it stands alone once its cause is mended.
    for (const f of this.#all.length === 0 ? [] : withExplained(finding))
      for (const one of this.#all) if (!this.#used.has(one) && matches(one, f)) this.#used.add(one)
    const one = this.#all.find(s => holdsAt(s, this.#fleet.now) && matches(s, finding))
    if (one !== undefined) return suppressedBy(one)
    const annotations = recordOf(this.#fleet, finding.subject)?.meta.annotations ?? {}
    return ignoredCodes(annotations).includes(finding.code) ? `annotation ${IGNORE_ANNOTATION}` : undefined
  }

  /** Suppressions whose last day has gone by. */
  get expired(): readonly Suppression[] {
    return this.#all.filter(one => !holdsAt(one, this.#fleet.now))
  }

  /** Suppressions that hold and that met no finding. */
  get unused(): readonly Suppression[] {
    return this.#all.filter(one => holdsAt(one, this.#fleet.now) && !this.#used.has(one))
  }
}
