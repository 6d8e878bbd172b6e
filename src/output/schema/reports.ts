import { BOOTSTRAP_SCHEMA } from '../../bootstrap/schema.ts'
import { boolean, constant, integer, listOf, object, oneOf, orNull, ref, type Schema, string, time } from './build.ts'
import { CHECK_FIELDS, envelope, MODELS, SEVERITIES } from './definitions.ts'
import {
  APPLY_REPORT_SCHEMA,
  PLACEMENT_EXPLANATION_SCHEMA,
  PLAN_SCHEMA,
  REVERT_REPORT_SCHEMA,
  RUN_LIST_SCHEMA,
  RUN_SCHEMA,
} from './plans.ts'

const withReason = { ...CHECK_FIELDS, reason: string('Why.') }

const doctorReport = object({
  ...envelope('DoctorReport'),
  version: string('Version of fleetctl.'),
  startedAt: time('When the run began.'),
  finishedAt: time('When the run ended.'),
  source: ref('Source'),
  clusters: listOf(ref('Cluster'), 'Clusters of the fleet.'),
  summary: object({
    errors: integer('Findings of severity error.'),
    warnings: integer('Findings of severity warning.'),
    infos: integer('Findings of severity info.'),
    unknown: integer('Checks that could not be evaluated, wholly or in part.'),
    skipped: integer('Checks that do not apply.'),
    passed: integer('Checks that passed.'),
    suppressed: integer('Findings that are suppressed.'),
  }),
  findings: listOf(ref('Finding'), 'Root causes, most important first.'),
  unknown: listOf(
    object({ ...withReason, unseen: listOf(ref('Unseen'), 'What could not be seen.') }),
    'Checks that could not be evaluated.',
  ),
  skipped: listOf(object(withReason), 'Checks that do not apply to this fleet.'),
  passed: listOf(object({ ...CHECK_FIELDS, title: string('What holds.') }), 'Checks that passed.'),
  suppressed: listOf(
    { allOf: [ref('Finding'), object({ by: string('What suppresses it.') })] },
    'Findings that are suppressed.',
  ),
})

const hop = object({
  subject: ref('Subject'),
  parent: {
    anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }],
    description: 'Index of the hop that this one hangs under; null at the top.',
  },
  edge: oneOf(
    ['generates', 'selects', 'registers', 'wraps', 'delivers', 'reconciles', 'reports', 'configures'],
    'How it hangs on the hop above.',
  ),
  state: oneOf(['ok', 'broken', 'waiting', 'stale', 'unknown', 'n/a'], 'How it is.'),
  since: time('When the information last changed.'),
  source: string('Which object said so; empty for the object itself.'),
  message: string('What it says.'),
  evidence: listOf(ref('Evidence'), 'What was seen.'),
})

const traceHead = {
  version: string('Version of fleetctl.'),
  source: ref('Source'),
  clusters: listOf(ref('Cluster'), 'Clusters of the fleet.'),
}

const applicationTrace = object({
  ...envelope('ApplicationTrace'),
  ...traceHead,
  application: ref('Subject'),
  model: oneOf([...MODELS, 'unknown'], 'How the Application reaches its cluster.'),
  modelReason: string('What the model was told from.'),
  spoke: string('ManagedCluster that it goes to; empty where it cannot be told.'),
  hops: listOf(ref('Hop'), 'The chain, from top to bottom.'),
  firstBroken: orNull(ref('Subject'), 'The first broken hop.'),
  finding: orNull(ref('Finding'), "The doctor's finding about it."),
  unseen: listOf(ref('Unseen'), 'What could not be seen on the way.'),
})

const traceList = (kind: string) =>
  object({
    ...envelope(kind),
    ...traceHead,
    subject: ref('Subject'),
    traces: listOf(ref('ApplicationTrace'), 'Traces, broken ones first.'),
    finding: orNull(ref('Finding'), "The doctor's finding about the object itself."),
  })

const list = object({
  ...envelope('List'),
  items: listOf(ref('ApplicationTrace'), 'Traces of the Applications that were named, in their order.'),
})

const listed = {
  ...CHECK_FIELDS,
  severity: oneOf(SEVERITIES, 'Severity of its findings.'),
  title: string('What holds when it passes.'),
  models: listOf(oneOf(MODELS, 'Delivery model.'), 'Models that it is for.'),
  reads: object({
    hub: listOf(string('Kind.'), 'Kinds read on the hub.'),
    spoke: listOf(string('Kind.'), 'Kinds read on spokes.'),
  }),
  machineFix: orNull(
    object({
      does: string('What it does, as an imperative.'),
      risk: string('What it may bring about besides.'),
      safe: boolean('Is it part of --all-safe?'),
    }),
    'What doctor fix does about its findings; null where no machine mends them.',
  ),
}

const lackingRight = object({
  cluster: string('`hub`, or the name of the ManagedCluster.'),
  verb: oneOf(['list', 'get'], 'Verb.'),
  group: string('API group; empty for the core group.'),
  resource: string('Plural of the kind.'),
  namespace: string('Namespace; empty for the whole cluster.'),
  name: string('Name of the object; empty for any.'),
  checks: listOf(string('Code.'), 'Checks that cannot say all without it.'),
})

/** What each kind is, by its name. */
export const KINDS_OF_DOCUMENTS: Readonly<Record<string, Schema>> = {
  DoctorReport: doctorReport,
  ApplicationTrace: applicationTrace,
  ApplicationSetTrace: traceList('ApplicationSetTrace'),
  ClusterTrace: traceList('ClusterTrace'),
  List: list,
  CheckList: object({ ...envelope('CheckList'), checks: listOf(object(listed), 'All checks, by code.') }),
  CheckExplanation: object({
    ...envelope('CheckExplanation'),
    ...listed,
    why: string('What goes wrong.'),
    remedy: string('How to mend it.'),
    sources: listOf(string('Source.'), 'What the rule was read from.'),
  }),
  AccessReport: object({
    ...envelope('AccessReport'),
    version: string('Version of fleetctl.'),
    for: oneOf(['doctor', 'trace'], 'Command that the rights are for.'),
    clusters: listOf(
      object({
        name: string('`hub`, or the name of the ManagedCluster.'),
        role: oneOf(['hub', 'spoke'], 'Side.'),
        reason: string('Why the cluster could not be asked; empty where it was.'),
        allowed: integer('Rights that the user has.'),
      }),
      'Clusters that were asked.',
    ),
    missing: listOf(lackingRight, 'Rights that the user does not have.'),
    unknown: listOf(lackingRight, 'Rights about which the API server gave no answer.'),
  }),
  Plan: PLAN_SCHEMA,
  PlacementExplanation: PLACEMENT_EXPLANATION_SCHEMA,
  FleetBootstrap: BOOTSTRAP_SCHEMA,
  ApplyReport: APPLY_REPORT_SCHEMA,
  RevertReport: REVERT_REPORT_SCHEMA,
  RunList: RUN_LIST_SCHEMA,
  Run: RUN_SCHEMA,
  Error: object({
    ...envelope('Error'),
    version: string('Version of fleetctl.'),
    message: string('What failed, as on stderr.'),
    exitCode: integer('Exit code of the command.'),
  }),
  Version: object({
    apiVersion: constant('fleetctl/v1'),
    kind: constant('Version'),
    client: object({
      version: string('Version of fleetctl.'),
      node: string('Version of Node.js.'),
      platform: string('Operating system and architecture.'),
    }),
  }),
}

/** Parts that are no documents of their own. */
export const REPORT_PARTS: Readonly<Record<string, Schema>> = { Hop: hop, ApplicationTrace: applicationTrace }
