import { RUN_STATES } from '../../plan/run-state.ts'
import { boolean, integer, listOf, object, oneOf, orNull, ref, type Schema, string, time } from './build.ts'
import { envelope } from './definitions.ts'

const anyValue = (description: string): Schema => ({ description })
const names = (description: string): Schema => listOf(string('Name of a managed cluster.'), description)

const application = object(
  {
    namespace: string('Namespace on the hub.'),
    name: string('Name; empty where a template function makes it that is not worked out.'),
    cluster: string('Managed cluster that it is for.'),
    applicationSet: string('`namespace/name` of its ApplicationSet.'),
    effect: string('What becomes of it and of its workload.'),
  },
  { description: 'An Application that a change makes or deletes.' },
)

const applications = object({
  made: listOf(application, 'Applications that are made.'),
  lost: listOf(application, 'Applications that are there and are deleted.'),
})

const notSelected = listOf(
  object({
    cluster: string('Managed cluster.'),
    reason: oneOf(
      [
        'terminating',
        'no-set',
        'unknown-set',
        'set-not-bound',
        'set-not-asked-for',
        'predicate',
        'taint',
        'count',
        'misconfigured',
        'scheduling-disabled',
      ],
      'What keeps it out.',
    ),
    detail: string('The same for a person, with what the cluster has and what was asked for.'),
  }),
  'Clusters that are surely not selected, by name.',
)

const placement = object(
  {
    namespace: string('Namespace of the Placement.'),
    name: string('Name of the Placement.'),
    selected: names('What it selects; where that is not certain, what it surely selects.'),
    notSelected,
    comes: names('Clusters that the change adds.'),
    goes: names('Clusters that the change surely takes away.'),
    mayGo: names('Clusters that are selected now, and of which it cannot be told whether they stay.'),
    certain: boolean('False where prioritizers or an expression decide that cannot be worked out.'),
    doubts: listOf(string('Doubt.'), 'Why it is not certain.'),
  },
  { description: 'What a Placement selects after a change.' },
)

const change = object(
  {
    path: string('Field, e.g. `.spec.tolerations`.'),
    keys: listOf(string('Key.'), 'The same, key by key.'),
    change: oneOf(['add', 'change', 'remove'], 'What happens to it.'),
    from: anyValue('Value that is there; absent for `add`.'),
    to: anyValue('Value that is wanted; absent for `remove`.'),
    owners: listOf(string('Field manager.'), 'Managers that own the field.'),
  },
  { optional: ['from', 'to'], description: 'One field that a step changes.' },
)

const precondition: Schema = {
  description: 'State of the object that the step was planned for.',
  oneOf: [
    object({ state: { const: 'absent' } }),
    object({
      state: { const: 'present' },
      uid: string('uid of the object.'),
      resourceVersion: string('resourceVersion when it was read.'),
      fingerprint: string('Of what is wanted of the object; its status does not change it.'),
    }),
    object({ state: { const: 'unknown' }, reason: string('Why it could not be read.') }),
  ],
}

const step = object(
  {
    type: { const: 'object' },
    number: { type: 'integer', minimum: 1, description: 'Place in the plan, from 1.' },
    section: string('Heading.'),
    subject: ref('Subject'),
    action: oneOf(['create', 'configure', 'unchanged', 'delete'], 'What is done.'),
    manifest: { type: 'object', description: 'What is sent.' },
    shared: boolean('The object belongs to others as well; only these fields of it are wanted.'),
    removes: listOf(
      listOf(string('Key.'), 'A field, key by key.'),
      'Fields that are to go; then the step is one patch.',
    ),
    changes: listOf(change, 'Fields that change, for `configure`.'),
    why: string('What it is for.'),
    risk: object({ level: oneOf(['none', 'low', 'high'], 'How bad.'), text: string('What may happen.') }),
    reversible: object({ yes: boolean('Can revert take it back?'), text: string('How, or what stays.') }),
    precondition,
    owner: object({
      by: oneOf(['argocd', 'flux', 'helm', 'subscription', 'policy', 'controller'], 'Kind of owner.'),
      text: string('Who would put the object back.'),
    }),
    force: boolean('Fields are taken from their owners.'),
    undoes: integer('Number of the earlier step that this one takes back.'),
  },
  {
    optional: ['owner', 'removes', 'undoes'],
    description: 'A step that writes an object, or finds it as it is wanted.',
  },
)

const wait = object(
  {
    type: { const: 'wait' },
    number: { type: 'integer', minimum: 1, description: 'Place in the plan, from 1.' },
    section: string('Heading.'),
    signal: { type: 'object', description: 'What is awaited, by its `signal`.' },
    text: string('The same in words.'),
    why: string('What depends on it.'),
    limitSeconds: integer('How long it is waited for without --timeout; absent: ten minutes.'),
  },
  { optional: ['limitSeconds'], description: 'A step that waits.' },
)

export const PLAN_SCHEMA: Schema = object(
  {
    ...envelope('Plan'),
    version: string('Version of fleetctl.'),
    createdAt: time('When the plan was made.'),
    title: string('What it is for.'),
    command: listOf(string('Argument.'), 'Arguments that make the same plan again.'),
    target: object({
      type: oneOf(['recording', 'must-gather', 'files', 'live'], 'What the plan was made from.'),
      name: string('Path or context.'),
      hub: string('uid of namespace kube-system; empty where it was not read.'),
    }),
    summary: object({
      create: integer('Objects to create.'),
      configure: integer('Objects to change.'),
      unchanged: integer('Objects that are as they are wanted.'),
      delete: integer('Objects to delete.'),
    }),
    notes: listOf(
      object({
        level: oneOf(['warning', 'info'], 'How important.'),
        code: string('Stable name.'),
        text: string('What to know.'),
      }),
      'What the user should know, warnings first.',
    ),
    gates: listOf(
      object({
        code: string('Name by which it is accepted.'),
        text: string('What the danger is.'),
        details: listOf(string('Detail.'), 'What exactly is at stake.'),
        flag: string('Flag that accepts it; empty where nothing does.'),
        accepted: boolean('Was it accepted?'),
      }),
      'Dangers that have to be accepted before anything is written.',
    ),
    preview: object({ placements: listOf(placement, 'Placements that the plan touches.'), applications }),
    steps: listOf({ oneOf: [step, wait] }, 'Steps, in order.'),
    exclusive: object(
      { namespace: string('Namespace of the Lease.'), name: string('Its name.') },
      { description: 'Lease by which runs exclude each other.' },
    ),
    foreign: listOf(ref('Subject'), 'Objects of controllers that were there before; the way back leaves them alone.'),
  },
  { optional: ['exclusive', 'foreign'] },
)

const condition = object({
  status: oneOf(['True', 'False', ''], 'Status; empty where it cannot be told.'),
  reason: string('Reason.'),
  message: string('Message.'),
})

export const PLACEMENT_EXPLANATION_SCHEMA: Schema = object({
  ...envelope('PlacementExplanation'),
  version: string('Version of fleetctl.'),
  source: ref('Source'),
  placement: ref('Subject'),
  selected: names('What the controller selects; where that is not certain, what it surely selects.'),
  notSelected,
  certain: boolean('False where prioritizers or an expression decide that cannot be worked out.'),
  candidates: names('Clusters that pass every filter, or may pass.'),
  chooses: {
    anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
    description: 'How many of the candidates the scheduler chooses, where it is not certain which; null otherwise.',
  },
  doubts: listOf(string('Doubt.'), 'Why it is not certain.'),
  frozen: string('Why the controller leaves the Placement alone; empty where it does not.'),
  satisfied: condition,
  misconfigured: condition,
  reported: orNull(object({ satisfied: condition, misconfigured: condition }), 'What the conditions on the hub say.'),
  decided: {
    anyOf: [names('Clusters in its decisions.'), { type: 'null' }],
    description: 'Clusters in its decisions now; null for a Placement that is not there.',
  },
  sets: object({
    eligible: listOf(string('Set.'), 'Sets that clusters are taken from.'),
    bound: listOf(string('Set.'), 'Sets that are bound to the namespace.'),
    unbound: listOf(string('Set.'), 'Asked for, existing, not bound.'),
    unknown: listOf(string('Set.'), 'Asked for, not existing.'),
    dangling: listOf(string('Set.'), 'Bindings whose set does not exist.'),
  }),
  edit: orNull(
    object({
      comes: names('Clusters that the edit adds.'),
      goes: names('Clusters that the edit surely takes away.'),
      mayGo: names('Clusters that are selected now, and of which it cannot be told whether they stay.'),
      others: listOf(placement, 'Other Placements that select otherwise because of it.'),
      applications,
    }),
    'What an edit changes.',
  ),
  unseen: listOf(
    object({ resource: string('`plural.group`.'), reason: string('Why.') }),
    'Kinds that could not be read wholly.',
  ),
})

const stepReport = {
  number: { type: 'integer', minimum: 1, description: 'Step of the plan.' },
  subject: orNull(ref('Subject'), 'Object that was written; null for a wait.'),
  outcome: string('What became of it: created, configured, unchanged, deleted, skipped, reached, failed, …'),
  text: string('Why, for everything but a success.'),
}

export const APPLY_REPORT_SCHEMA: Schema = object({
  ...envelope('ApplyReport'),
  version: string('Version of fleetctl.'),
  title: string('What the plan is for.'),
  run: string('Id of the run; empty where nothing was written.'),
  journal: string('Path of its journal; empty where nothing was written.'),
  dryRun: boolean('Did the server only check?'),
  results: listOf(object(stepReport), 'Steps, in order.'),
  stopped: string('Why it stopped; empty when it did not.'),
  causes: listOf(string('Finding.'), 'Root causes that the checks found, where a signal did not come.'),
  delivery: orNull(
    object({
      applicationSet: ref('Subject'),
      applications: integer('Applications that it made.'),
      blockers: listOf(string('Clause.'), 'What keeps them from having arrived.'),
    }),
    'What became of what was built; null where that was not looked at.',
  ),
})

export const REVERT_REPORT_SCHEMA: Schema = object({
  ...envelope('RevertReport'),
  version: string('Version of fleetctl.'),
  run: string('Id of the run that was taken back.'),
  dryRun: boolean('Was it only worked out?'),
  results: listOf(
    object({
      ...stepReport,
      restored: listOf(string('Field.'), 'Fields that were put back.'),
      left: listOf(
        object({ path: string('Field.'), why: string('Why it was left.') }),
        'Fields that somebody has changed since.',
      ),
    }),
    'Steps, last first.',
  ),
})

const runFields = {
  id: string('Id of the run.'),
  title: string('What it was for.'),
  hub: string('Context or address of the hub.'),
  startedAt: time('When it began.'),
  state: oneOf(
    RUN_STATES,
    'How it stands: superseded by a later run of the same command, half-reverted by a revert that stopped.',
  ),
  written: integer('Objects that were written.'),
  planned: integer('Objects that were to be written.'),
}

export const RUN_LIST_SCHEMA: Schema = object({
  ...envelope('RunList'),
  runs: listOf(object(runFields), 'Runs, oldest first.'),
})

export const RUN_SCHEMA: Schema = object({
  ...envelope('Run'),
  ...runFields,
  steps: listOf(
    object({
      number: { type: 'integer', minimum: 1, description: 'Step of the plan.' },
      object: string('`namespace/Kind/name`.'),
      state: string('What became of it.'),
      fields: listOf(
        object({
          path: string('Field.'),
          from: anyValue('Former value, or null.'),
          to: anyValue('New value, or null.'),
        }),
        'Fields that were changed.',
      ),
    }),
    'Steps of the plan that write.',
  ),
})
