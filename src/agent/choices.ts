// Words that flags of `agent` take: in a file of their own, since the help knows them, too, and loads nothing else.
import type { SettingName } from '../bootstrap/settings.ts'

/** How a hub becomes the principal of agents (agent-mode.md 2.2, 3). */
export type SetUp = 'documented' | 'hybrid' | 'dedicated' | 'upstream'

export const SET_UPS: readonly SetUp[] = ['documented', 'hybrid', 'dedicated', 'upstream']

/** Delivery that the template of an ApplicationSet is turned into. */
export type Target = 'agent' | 'push' | 'pull'

export const TARGETS: readonly Target[] = ['agent', 'push', 'pull']

/** Settings of a bootstrap that a switch takes, too. */
export const AGENT_SETTINGS: readonly SettingName[] = [
  'namespace',
  'set',
  'clusters',
  'selector',
  'placement',
  'predicate',
  'gitopscluster',
  'channel',
  'spokeRights',
  'managedNamespaces',
  'appset',
  'appName',
  'repoUrl',
  'path',
  'revision',
  'project',
  'destNamespace',
  'sync',
]

/** Codes that `--accept` takes; what freezes or is lost is accepted by the names of the Applications. */
export const AGENT_GATE_CODES: readonly string[] = [
  'lost-applications',
  'move-clusters',
  'name-taken',
  'second-argocd',
  'gitops-owned',
  'by-hand',
]
