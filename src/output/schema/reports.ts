import { BOOTSTRAP_SCHEMA } from '../../bootstrap/schema.ts'
import { BASELINE_SCHEMA } from '../../findings/baseline-schema.ts'
import { CONFIG_SCHEMA } from '../../settings/schema.ts'
import { AGENT_PLAN_SCHEMA } from './agent-plan.ts'
import { AGENT_PARTS, AGENT_STATUS_SCHEMA, AGENT_VERIFICATION_SCHEMA } from './agents.ts'
import { boolean, constant, integer, listOf, object, oneOf, orNull, ref, type Schema, string, time } from './build.ts'
import { CHECK_FIELDS, envelope, MODELS, SEVERITIES } from './definitions.ts'
import { FLEET_DIFF_SCHEMA } from './diffs.ts'
import {
  APPLY_REPORT_SCHEMA,
  PLACEMENT_EXPLANATION_SCHEMA,
  PLAN_SCHEMA,
  REVERT_REPORT_SCHEMA,
  RUN_LIST_SCHEMA,
  RUN_SCHEMA,
} from './plans.ts'
import { SNAPSHOT_REPORT_SCHEMA } from './snapshots.ts'
import { WAIT_RESULT_SCHEMA } from './wait.ts'

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
    baselined: integer('Findings that are in the baseline.'),
    older: integer('Findings that did not change within the time of --since.'),
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
  baselined: listOf(ref('Finding'), 'Findings that are in the baseline; they do not count.'),
  gone: listOf(string('Fingerprint.'), 'Fingerprints of the baseline whose finding is there no more.'),
  older: listOf(ref('Finding'), 'Findings that did not change within the time of --since; they do not count.'),
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
  items: {
    anyOf: [
      listOf(ref('ApplicationTrace'), 'Traces of the Applications that were named, in their order.'),
      listOf(ref('CheckExplanation'), 'Explanations of the checks that were named, in their order.'),
    ],
  },
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

const checkExplanation = object({
  ...envelope('CheckExplanation'),
  ...listed,
  why: string('What goes wrong.'),
  remedy: string('How to mend it.'),
  sources: listOf(string('Source.'), 'What the rule was read from.'),
})

const lackingRight = object({
  cluster: string('`hub`, or the name of the ManagedCluster.'),
  verb: oneOf(['list', 'get'], 'Verb.'),
  group: string('API group; empty for the core group.'),
  resource: string('Plural of the kind.'),
  namespace: string('Namespace; empty for the whole cluster.'),
  name: string('Name of the object; empty for any.'),
  checks: listOf(string('Code.'), 'Checks that cannot say all without it.'),
})

const origin = oneOf(['flag', 'env', 'project', 'user'], 'Where it is from; the first of these wins.')

const configView = object({
  ...envelope('ConfigView'),
  files: listOf(
    object({ scope: oneOf(['project', 'user'], 'Whose it is.'), file: string('Path.') }),
    'Settings files that were read, in the order in which they win.',
  ),
  flags: listOf(
    object({
      flag: string('Name without --.'),
      values: listOf(string('Value.'), 'As on the command line.'),
      origin,
      where: string('The flag, the variable, or file:line.'),
    }),
    'Flags that are set.',
  ),
  suppressions: listOf(
    object({
      check: string('Code or name of a check, or a glob.'),
      object: string('Glob over objects.'),
      cluster: string('Glob over clusters.'),
      reason: string('Why it may stay.'),
      owner: string('Who answers for it.'),
      expires: string('The last day on which it holds.'),
      origin,
      where: string('file:line.'),
    }),
    'Suppressions of the settings files.',
  ),
})

/** What each kind is, by its name. */
export const KINDS_OF_DOCUMENTS: Readonly<Record<string, Schema>> = {
  DoctorReport: doctorReport,
  ApplicationTrace: applicationTrace,
  ApplicationSetTrace: traceList('ApplicationSetTrace'),
  ClusterTrace: traceList('ClusterTrace'),
  List: list,
  AgentStatus: AGENT_STATUS_SCHEMA,
  AgentVerification: AGENT_VERIFICATION_SCHEMA,
  CheckList: object({ ...envelope('CheckList'), checks: listOf(object(listed), 'All checks, by code.') }),
  CheckExplanation: checkExplanation,
  AccessReport: object({
    ...envelope('AccessReport'),
    version: string('Version of fleetctl.'),
    for: oneOf(['doctor', 'trace', 'snapshot'], 'Command that the rights are for.'),
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
  WaitResult: WAIT_RESULT_SCHEMA,
  SnapshotReport: SNAPSHOT_REPORT_SCHEMA,
  FleetDiff: FLEET_DIFF_SCHEMA,
  AgentPlan: AGENT_PLAN_SCHEMA,
  Plan: PLAN_SCHEMA,
  PlacementExplanation: PLACEMENT_EXPLANATION_SCHEMA,
  FleetBootstrap: BOOTSTRAP_SCHEMA,
  Baseline: BASELINE_SCHEMA,
  Config: CONFIG_SCHEMA,
  ConfigView: configView,
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
export const REPORT_PARTS: Readonly<Record<string, Schema>> = {
  Hop: hop,
  ApplicationTrace: applicationTrace,
  ...AGENT_PARTS,
  CheckExplanation: checkExplanation,
}
