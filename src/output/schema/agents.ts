import { listOf, object, oneOf, ref, type Schema, string, time } from './build.ts'
import { envelope, SEVERITIES } from './definitions.ts'

const STATES = ['ok', 'broken', 'waiting', 'stale', 'unknown']
const VERDICTS = ['verified', 'failed', 'waiting', 'unknown']
const code = { type: 'string', pattern: '^(FLT\\d{4})?$' }

const part = object(
  {
    part: string('What the part is, e.g. `principal`, `connection`.'),
    subject: ref('Subject'),
    state: oneOf(STATES, 'How it is; `broken` only with a finding.'),
    since: time('When the information last changed.'),
    message: string('What it says, or the message of the finding.'),
    findings: listOf(
      object({
        code: { ...code, description: 'Code of the check.' },
        severity: oneOf(SEVERITIES, 'How grave it is by itself.'),
        subject: ref('Subject'),
        message: string('What is wrong.'),
        root: { ...code, description: 'Code of the finding that explains it.' },
      }),
      "The doctor's findings about it.",
    ),
    ask: string('Command that tells what could not be told; may be empty.'),
  },
  { description: 'A part of agent mode.' },
)

const application = object(
  {
    subject: ref('Subject'),
    project: string('AppProject.'),
    sync: string('Sync status.'),
    health: string('Health.'),
    state: oneOf(STATES, 'How it is; `broken` where a trace of it names a hop.'),
    reconciledAt: time('When the spoke last compared it.'),
    writtenAt: time('When the principal last wrote its status.'),
    code: { ...code, description: 'Code of the finding that a trace names; may be empty.' },
    message: string('Its status, or the message of the finding.'),
  },
  { description: 'An Application that goes to an agent, or came from one.' },
)

const mode = oneOf(['managed', 'autonomous', ''], 'Who owns its Applications: the hub or the spoke.')

const agent = object(
  {
    name: string('Name of the agent, which is that of the ManagedCluster.'),
    mode,
    state: oneOf(STATES, 'State of the gravest part.'),
    heardAt: time('Latest sign of it on the hub.'),
    parts: listOf(ref('AgentPart'), 'Its parts, from the hub to the spoke.'),
    applications: listOf(ref('RoutedApplication'), 'Its Applications, broken ones first.'),
  },
  { description: 'An agent.' },
)

const head = {
  version: string('Version of fleetctl.'),
  source: ref('Source'),
  clusters: listOf(ref('Cluster'), 'Clusters of the fleet.'),
}

export const AGENT_STATUS_SCHEMA: Schema = object({
  ...envelope('AgentStatus'),
  ...head,
  state: oneOf(STATES, 'State of the gravest part; `ok` on a hub without agent mode.'),
  summary: string('One sentence.'),
  principals: listOf(
    object({
      subject: ref('Subject'),
      state: oneOf(STATES, 'State of the gravest part, agents included.'),
      mapping: oneOf(['destination', 'namespace', ''], 'What tells the agent of an Application.'),
      setup: oneOf(['principal-only', 'hybrid', ''], 'Is the application controller of the hub off or on?'),
      parts: listOf(ref('AgentPart'), 'Its parts.'),
      agents: listOf(ref('Agent'), 'Its agents, broken ones first.'),
    }),
    'Principals, and places where agents are registered without one.',
  ),
  findings: listOf(ref('Finding'), 'Root causes of what is not well, most important first.'),
  elsewhere: listOf(ref('Finding'), 'What else the doctor says of agent mode.'),
  unseen: listOf(ref('Unseen'), 'What could not be seen.'),
})

const roundTrip = object({
  subject: ref('Subject'),
  verdict: oneOf(VERDICTS, 'Does the way there and back work?'),
  sent: oneOf(['yes', 'no', 'unknown'], 'Is it on the other side?'),
  back: oneOf(['yes', 'old', 'no'], 'Did its status come back lately?'),
  heardAt: time('When its status last came back.'),
  message: string('Why.'),
  code: { ...code, description: 'Code of the finding that breaks the way; may be empty.' },
})

export const AGENT_VERIFICATION_SCHEMA: Schema = object({
  ...envelope('AgentVerification'),
  ...head,
  summary: string('One clause.'),
  agents: listOf(
    object({
      name: string('Name of the agent.'),
      principal: ref('Subject'),
      mode,
      verdict: oneOf(VERDICTS, 'The worst of its Applications.'),
      heardAt: time('Latest sign of it on the hub.'),
      message: string('Why.'),
      code: { ...code, description: 'Code of the finding that breaks the way; may be empty.' },
      roundTrips: listOf(roundTrip, 'Its Applications, failed ones first.'),
    }),
    'Agents, failed ones first.',
  ),
  blockers: listOf(string('Clause.'), 'What keeps agents from being verified.'),
  findings: listOf(ref('Finding'), 'Root causes of what failed, most important first.'),
})

/** Parts of these documents, by the name under `$defs`. */
export const AGENT_PARTS: Readonly<Record<string, Schema>> = {
  AgentPart: part,
  RoutedApplication: application,
  Agent: agent,
}
