import { CATEGORIES } from '../../checks/check.ts'
import { boolean, constant, integer, listOf, object, oneOf, ref, type Schema, string, time } from './build.ts'

export const SEVERITIES = ['error', 'warning', 'info']
export const MODELS = ['push', 'pull', 'agent', 'local']

/** Fields that open every document. */
export const envelope = (kind: string): Record<string, Schema> => ({
  apiVersion: constant('fleetctl/v1'),
  kind: constant(kind),
})

const check = {
  code: { type: 'string', pattern: '^FLT\\d{4}$', description: 'Code of the check, never reused.' },
  slug: string('Name of the check.'),
  category: oneOf(CATEGORIES, 'Part of the chain that the check looks at.'),
}

const subject = object(
  {
    cluster: string('`hub`, or the name of the ManagedCluster.'),
    group: string('API group; empty for the core group.'),
    kind: string('Kind of the object.'),
    namespace: string('Namespace; empty for cluster-scoped kinds.'),
    name: string('Name of the object.'),
    missing: { const: true, description: 'The object ought to exist and does not.' },
  },
  { optional: ['missing'], description: 'An object of the chain.' },
)

const evidence = object(
  {
    subject: ref('Subject'),
    path: string('Field that was read; empty for the object itself.'),
    value: string('Value as it was read; never secret data.'),
  },
  { description: 'A fact that led to a finding or to the state of a hop.' },
)

const finding = object(
  {
    ...check,
    severity: oneOf(SEVERITIES, 'How grave it is.'),
    fingerprint: string('Stable over runs.'),
    subject: ref('Subject'),
    message: string('What is wrong, in one sentence.'),
    evidence: listOf(ref('Evidence'), 'What was seen.'),
    effect: string('What follows from it.'),
    fix: string('What to do.'),
    fixCommand: listOf(
      string('Argument.'),
      'Arguments of the command that mends it, without the name of the program; empty where no machine can.',
    ),
    fixInGit: boolean('Can the command write it as files for Git?'),
    impact: object(
      {
        applications: integer('Applications that are touched, or that it keeps from being there.'),
        clusters: integer('Managed clusters that are touched.'),
        applicationNames: listOf(string('Name.'), 'Some of them.'),
        clusterNames: listOf(string('Name.'), 'Some of them.'),
        atLeast: boolean('Only a part of the Applications was read, as a trace of one does: there may be more.'),
      },
      { optional: ['atLeast'], description: 'How much is touched.' },
    ),
    changedAt: time('When the newest fact behind it, or behind what it explains, changed.'),
    explains: listOf(ref('Finding'), 'Findings that this one explains.'),
  },
  { description: 'Something that a check found.' },
)

const source = object(
  {
    type: oneOf(['recording', 'must-gather', 'files', 'live'], 'Kind of source.'),
    name: string('Path or context that was read.'),
    now: time('The time that ages are counted from.'),
    problems: listOf(
      object(
        { where: string('File or request.'), line: integer('Line, from 1.'), message: string('What failed.') },
        { optional: ['line'] },
      ),
      'What could not be read.',
    ),
    notes: listOf(string('A sentence.'), 'How the source was understood, where that was not plain.'),
  },
  { description: 'Where the data come from.' },
)

const cluster = object(
  {
    name: string('`hub`, or the name of the ManagedCluster.'),
    role: oneOf(['hub', 'spoke'], 'Its part.'),
    serverVersion: string('Version of Kubernetes; empty where the source does not say.'),
    readAt: time('When it was read.'),
    read: boolean('False for a cluster that is known but that the source does not hold.'),
  },
  { description: 'A cluster of the fleet.' },
)

const unseen = object(
  {
    cluster: string('`hub`, or the name of the ManagedCluster.'),
    resource: string('`plural.group` that could not be seen.'),
    reason: string('Why not.'),
  },
  { description: 'Something that could not be seen.' },
)

/** Shared parts, by the name under `$defs`. */
export const DEFINITIONS: Readonly<Record<string, Schema>> = {
  Subject: subject,
  Evidence: evidence,
  Finding: finding,
  Source: source,
  Cluster: cluster,
  Unseen: unseen,
}

export { check as CHECK_FIELDS }
