import { isScalar, isSeq } from 'yaml'
import { LinedYaml } from '../lined-yaml.ts'
import { toYaml } from '../output/yaml.ts'
import { BASELINE, FINGERPRINT_PATTERN } from './baseline-schema.ts'

const FINGERPRINT = new RegExp(FINGERPRINT_PATTERN)

/**
 * The findings that a team has accepted for now: their fingerprints (code and object), nothing that changes while the
 * finding stays.
 *
 * @param file its name, for messages
 * @throws UsageError with the line for anything that is not understood
 */
export function readBaseline(text: string, file: string): ReadonlySet<string> {
  const reader: LinedYaml = new LinedYaml(text, file)
  const findings = reader.parts(BASELINE, ['findings']).get('findings')
  if (!isSeq(findings)) reader.fail(findings ?? reader.root, 'findings must be a list of fingerprints')
  const found = new Set<string>()
  for (const item of findings.items) {
    const node = isScalar(item) ? item : undefined
    if (typeof node?.value !== 'string' || !FINGERPRINT.test(node.value))
      reader.fail(
        node ?? findings,
        'a finding is no fingerprint such as FLT0102/hub|cluster.open-cluster-management.io|Placement|argocd|all',
      )
    if (found.has(node.value)) reader.fail(node, `${node.value} is there twice`)
    found.add(node.value)
  }
  return found
}

/** A baseline as a file: one fingerprint a line in a fixed order, so that a change of the fleet is a change of lines. */
export function writeBaseline(fingerprints: Iterable<string>): string {
  return toYaml({ apiVersion: 'fleetctl/v1', kind: BASELINE, findings: [...new Set(fingerprints)].sort() })
}
