/** Delivery that a template is turned into. */
export type Target = 'agent' | 'push' | 'pull'

export const TARGETS: readonly Target[] = ['agent', 'push', 'pull']
