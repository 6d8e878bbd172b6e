import type { Fleet } from '../fleet/fleet.ts'
import { applications } from '../fleet/joins/applications.ts'
import { appSets } from '../fleet/joins/appsets.ts'
import { clusters } from '../fleet/joins/clusters.ts'
import { baseOf } from '../source/tree.ts'
import { nearest } from '../ui/nearest.ts'

/** What a trace can start from, as the commands call it. */
type Noun = 'app' | 'appset' | 'cluster'

const CALLED: Readonly<Record<Noun, string>> = {
  app: 'an Application',
  appset: 'an ApplicationSet',
  cluster: 'a ManagedCluster',
}

/** The last names in full, the namespace in front where there is one. */
function known(fleet: Fleet): Readonly<Record<Noun, readonly string[]>> {
  const path = ({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`
  return {
    app: fleet.join(applications).all.map(l => path(l.app.meta)),
    appset: fleet.join(appSets).all.map(l => path(l.appSet.meta)),
    cluster: [...fleet.join(clusters).byName.keys()],
  }
}

/** Most names that a message lists. */
const MOST = 3

/**
 * The end of the message that nothing is called `name`: the object of another kind that is, else what is spelled nearly so, else
 * nothing.
 */
export function meantInstead(fleet: Fleet, noun: Noun, name: string): string {
  const names = known(fleet)
  const nouns: readonly Noun[] = ['app', 'appset', 'cluster']
  for (const other of nouns) {
    const path = other === noun ? undefined : names[other].find(candidate => baseOf(candidate) === name)
    if (path !== undefined) return `; it is ${CALLED[other]}: fleetctl trace ${other} ${path}`
  }
  const own = names[noun]
  const wanted = name.toLowerCase()
  const same = own.filter(path => baseOf(path).toLowerCase() === wanted)
  const parts = own.filter(path => {
    const base = baseOf(path).toLowerCase()
    return wanted !== '' && (base.includes(wanted) || wanted.includes(base))
  })
  const word = nearest(name, own.map(baseOf))
  const spelled = word === undefined ? [] : own.filter(path => baseOf(path) === word)
  const near = [same, spelled, parts].find(list => list.length > 0) ?? []
  return near.length === 0 ? '' : `; did you mean ${near.slice(0, MOST).join(', ')}?`
}
