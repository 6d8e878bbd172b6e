import { constant, object, type Schema } from '../output/schema/build.ts'

export const BASELINE = 'Baseline'

/** `CODE/cluster|group|kind|namespace|name`. */
export const FINGERPRINT_PATTERN = '^FLT\\d{4}/[^|]*\\|[^|]*\\|[^|]+\\|[^|]*\\|.*$'

/** JSON Schema of the file. What fleetctl reads has no unknown fields: a typing error must not pass. */
export const BASELINE_SCHEMA: Schema = {
  ...object(
    {
      apiVersion: constant('fleetctl/v1'),
      kind: constant(BASELINE),
      metadata: { type: 'object', description: 'For people and tools; not read.' },
      findings: {
        type: 'array',
        uniqueItems: true,
        items: { type: 'string', pattern: FINGERPRINT_PATTERN, description: 'Fingerprint of a finding.' },
        description: 'Findings that do not count.',
      },
    },
    {
      optional: ['metadata'],
      description: 'What "fleetctl doctor --write-baseline" writes and --baseline reads.',
    },
  ),
  additionalProperties: false,
}
