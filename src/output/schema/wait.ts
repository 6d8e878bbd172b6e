import { integer, listOf, object, oneOf, orNull, ref, type Schema, string, time } from './build.ts'
import { envelope } from './definitions.ts'

const blocker = object({
  subject: ref('Subject'),
  state: oneOf(
    ['waiting', 'failed', 'unknown'],
    'May it come by itself, must somebody do something, or is it not known.',
  ),
  reason: string('What is the case, in one clause.'),
  source: string('Which object said so; empty for the object itself.'),
  asOf: time('When that was last known to be so.'),
  cause: orNull(
    object({
      code: { type: 'string', pattern: '^FLT\\d{4}$', description: 'Code of the check.' },
      subject: ref('Subject'),
      message: string('What is wrong, in one sentence.'),
    }),
    "The doctor's finding behind it.",
  ),
})

/** What `fleetctl wait` prints. */
export const WAIT_RESULT_SCHEMA: Schema = object({
  ...envelope('WaitResult'),
  version: string('Version of fleetctl.'),
  startedAt: time('When waiting began.'),
  finishedAt: time('When it ended.'),
  source: ref('Source'),
  target: object({
    kind: oneOf(['app', 'appset', 'placement', 'gitopscluster', 'fleet'], 'What was waited for.'),
    names: listOf(string('NAME or NAMESPACE/NAME.'), 'Empty for the fleet.'),
  }),
  for: string('The goal: healthy, synced, delivered, delivered=SHARE, registered or ready.'),
  outcome: oneOf(['met', 'timeout', 'failed', 'not-met', 'unknown', 'unreachable'], 'How it ended.'),
  message: string('The trouble with the hub that ended it; empty where there was none.'),
  required: integer('So many members had to have it.'),
  met: integer('So many had it at the last look.'),
  total: integer('Members at the last look.'),
  blockers: listOf(blocker, 'Members that did not have it, failed ones first.'),
  how: oneOf(['watch', 'poll', 'once'], 'How changes were seen.'),
  reads: integer('How often the fleet was read.'),
})
