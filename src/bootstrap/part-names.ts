/** What a bootstrap sets up; a sub-step sets up one of them. */
export type Part =
  | 'clusterset'
  | 'binding'
  | 'placement'
  | 'gitopscluster'
  | 'spoke-gitops'
  | 'rbac'
  | 'principal'
  | 'appset'

/** The parts of a whole bootstrap, by model. Those that a hub or a setting does not need come to nothing. */
export const MODEL_PARTS: Readonly<Record<'push' | 'pull' | 'agent', readonly Part[]>> = {
  push: ['clusterset', 'binding', 'placement', 'rbac', 'gitopscluster', 'appset'],
  pull: ['clusterset', 'binding', 'placement', 'spoke-gitops', 'rbac', 'gitopscluster', 'appset'],
  agent: ['clusterset', 'binding', 'placement', 'rbac', 'principal', 'gitopscluster', 'appset'],
}

/** Codes that `--accept` takes: the dangers of a bootstrap that may be accepted by name. */
export const GATE_CODES: readonly string[] = [
  'lost-applications',
  'move-clusters',
  'push-off',
  'name-taken',
  'frozen-applications',
  'second-argocd',
  'gitops-owned',
]
