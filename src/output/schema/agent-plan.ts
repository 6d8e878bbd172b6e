import { boolean, integer, listOf, object, oneOf, ref, type Schema, string } from './build.ts'
import { envelope } from './definitions.ts'

const setUp = (description: string): Schema => oneOf(['documented', 'hybrid', 'dedicated', 'upstream'], description)

const precondition = object(
  {
    code: string('Stable name.'),
    title: string('The precondition, as a fact.'),
    weight: oneOf(['blocks', 'warns'], 'What it means when it does not hold.'),
    state: oneOf(['ok', 'failed', 'unknown'], 'Whether it holds.'),
    seen: string('What was seen, and where; for `unknown`, why it was not.'),
    todo: string('What to do; empty where there is nothing to do.'),
  },
  { description: 'Something that must hold before a hub is switched.' },
)

const frozen = object(
  {
    subject: ref('Subject'),
    model: oneOf(
      ['push', 'local', 'unknown'],
      'Pushed to a cluster, deployed to the hub, or without a secret of its destination.',
    ),
    cluster: string('Managed cluster that it deploys to; empty where that is not known.'),
    applicationSet: string('`namespace/name` of its ApplicationSet; empty without one.'),
    otherWay: object({
      by: oneOf(['agent', 'controller'], 'What can carry it on.'),
      text: string('The same in words.'),
    }),
    hasFinalizer: boolean('Would its deletion wait for the controller for ever?'),
    already: boolean('Is the controller off today, so that it is frozen already?'),
  },
  { description: 'An Application that stands still without the controller of the hub.' },
)

const step = object(
  {
    number: integer('Place in the procedure, from 1.'),
    key: oneOf(
      ['hold', 'operator', 'selection', 'rights', 'principal', 'registration', 'agents', 'applications', 'release'],
      'Name for `--pause-after`.',
    ),
    title: string('What holds when it is done.'),
    state: oneOf(['planned', 'unchanged', 'open', 'by-hand'], 'Whether there is anything to do, and who does it.'),
    objects: listOf(
      object({
        subject: ref('Subject'),
        action: oneOf(['create', 'configure', 'unchanged', 'delete'], 'What is done.'),
        fields: listOf(string('Field.'), 'Fields that change.'),
      }),
      'Objects that it writes.',
    ),
    effect: string('What follows from it.'),
    signals: listOf(string('Signal.'), 'What shows that it is complete.'),
    revert: string('The way back.'),
  },
  { description: 'A step of the procedure.' },
)

export const AGENT_PLAN_SCHEMA: Schema = object({
  ...envelope('AgentPlan'),
  version: string('Version of fleetctl.'),
  source: ref('Source'),
  setup: setUp('Set-up that the plan is for.'),
  recommended: object({ setup: setUp('Set-up for this hub.'), reason: string('Why.') }),
  setups: listOf(
    object({
      setup: setUp('Set-up.'),
      fits: oneOf(['yes', 'no', 'unknown'], 'Whether it fits this hub.'),
      text: string('Why.'),
    }),
    'All set-ups.',
  ),
  hub: object({
    flavour: oneOf(['acm', 'upstream', 'none'], 'Whose GitOpsCluster the hub has.'),
    argoNamespace: string('Namespace of Argo CD.'),
    argocd: string('Name of its ArgoCD resource; empty where there is none.'),
    operatorVersion: string('Version of OpenShift GitOps; empty where it was not seen.'),
    controllerEnabled: boolean('Does its own controller run?'),
    principalEnabled: boolean('Is it a principal already?'),
  }),
  clusters: listOf(string('Managed cluster.'), 'Clusters that get an agent; empty where none are chosen.'),
  preconditions: listOf(precondition, 'All preconditions.'),
  frozen: listOf(frozen, 'Applications that the set-up stops, by namespace and name.'),
  blockers: listOf(string('Clause.'), 'What is in the way of `agent enable`.'),
  notes: listOf(
    object({
      level: oneOf(['warning', 'info'], 'How important.'),
      code: string('Stable name.'),
      text: string('What to know.'),
    }),
    'What the user should know.',
  ),
  steps: listOf(step, 'Steps, in order.'),
})
