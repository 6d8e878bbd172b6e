import { boolean, integer, listOf, object, oneOf, ref, string } from './build.ts'
import { CHECK_FIELDS, envelope, SEVERITIES } from './definitions.ts'

export const FLEET_DIFF_SCHEMA = object({
  ...envelope('FleetDiff'),
  version: string('Version of fleetctl.'),
  before: ref('Source'),
  after: ref('Source'),
  summary: object({
    added: integer('Objects that were added.'),
    removed: integer('Objects that were removed.'),
    changed: integer('Objects that changed.'),
    newFindings: integer('Findings that are new.'),
    goneFindings: integer('Findings that are gone.'),
    changedFindings: integer('Findings of another severity.'),
  }),
  changes: listOf(
    object({
      section: oneOf(['clusters', 'decisions', 'secrets', 'applications', 'works'], 'Part of the chain.'),
      change: oneOf(['added', 'removed', 'changed'], 'What became of it.'),
      subject: ref('Subject'),
      fields: listOf(
        object({
          field: string('What is another.'),
          before: string('What it was; empty for nothing.'),
          after: string('What it is; empty for nothing.'),
        }),
        'What changed of it; of one that was added or removed, what it is or was.',
      ),
    }),
    'Objects that changed, in the order of the chain.',
  ),
  findings: listOf(
    object({
      change: oneOf(['new', 'gone', 'changed'], 'What became of it.'),
      ...CHECK_FIELDS,
      severity: oneOf(SEVERITIES, 'How grave it is, or was.'),
      severityBefore: oneOf([...SEVERITIES, ''], 'How grave it was, where that changed.'),
      fingerprint: string('Stable over runs.'),
      subject: ref('Subject'),
      message: string('What is or was wrong.'),
      explainedBy: string('Code of the finding that explains it; empty for a root cause.'),
      certain: boolean('False where the check could not see all in the other state.'),
    }),
    'Findings that came, went or changed, most important first.',
  ),
  notCompared: listOf(
    object({
      state: oneOf(['before', 'after'], 'State in which it could not be seen.'),
      cluster: string('`hub`, or the name of the ManagedCluster.'),
      resource: string('`plural.group`.'),
      reason: string('Why.'),
    }),
    'What could not be compared.',
  ),
})
