/** What `trace` takes, by the names that kubectl users have for it: short, singular, plural. */
export type Noun = 'app' | 'appset' | 'cluster'

const NAMES: Readonly<Record<Noun, readonly string[]>> = {
  app: ['app', 'apps', 'application', 'applications'],
  appset: ['appset', 'appsets', 'applicationset', 'applicationsets'],
  cluster: ['cluster', 'clusters', 'managedcluster', 'managedclusters', 'mcl', 'mcls'],
}

const NOUNS: readonly Noun[] = ['app', 'appset', 'cluster']

/** Further names of a noun, for commander. */
export function aliasesOf(noun: Noun): string[] {
  return NAMES[noun].filter(name => name !== noun)
}

/** The noun that a kind means, in any case and with or without version and group: `applications.v1alpha1.argoproj.io`. */
export function nounOf(kind: string): Noun | undefined {
  const [name = '', ...rest] = kind.toLowerCase().split('.')
  const group = rest.join('.').replace(/^v\d+((alpha|beta)\d+)?(\.|$)/, '')
  const noun = NOUNS.find(candidate => NAMES[candidate].includes(name))
  if (noun === undefined || group === '') return noun
  const expected = noun === 'cluster' ? 'cluster.open-cluster-management.io' : 'argoproj.io'
  return group === expected ? noun : undefined
}
