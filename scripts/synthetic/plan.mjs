// What the fleet consists of, and what is broken in it.
import { uid } from './form.mjs'

export const KINDS = ['binding', 'label', 'account', 'unavailable', 'work']

/** @throws an error for people when the numbers do not fit. */
export function planFleet({ clusters, applications, sets, pulled, broken, kinds, namespace }) {
  const perCluster = applications / clusters
  if (!(clusters > 0) || !(perCluster >= 1) || !Number.isInteger(perCluster))
    throw new Error('APPLICATIONS must be a multiple of CLUSTERS')
  for (const kind of kinds) if (!KINDS.includes(kind)) throw new Error(`no kind "${kind}": ${KINDS.join(', ')}`)
  const digits = Math.max(3, String(clusters).length)
  const number = i => String(i + 1).padStart(digits, '0')
  const setCount = sets ?? Math.min(clusters, Math.max(4, Math.ceil(clusters / 500)))
  const fleet = {
    sets: Array.from({ length: setCount }, (_, i) => ({ name: `set-${number(i)}`, bound: true, clusters: [] })),
    clusters: Array.from({ length: clusters }, (_, i) => ({ name: `cluster-${number(i)}`, labelled: true })),
    workloads: Array.from({ length: perCluster }, (_, i) => ({
      name: `workload-${number(i)}`,
      pull: pulled === undefined ? i % 2 === 1 : i < pulled,
    })),
  }
  const size = Math.ceil(clusters / setCount)
  fleet.clusters.forEach((cluster, i) => {
    cluster.set = fleet.sets[Math.floor(i / size)]
    cluster.set.clusters.push(cluster)
  })
  return { ...fleet, faults: breakSome(fleet, broken, kinds, namespace) }
}

/** Makes the faults, each on a cluster or set of its own, and tells the object that is the root of each. */
function breakSome({ sets, clusters, workloads }, wanted, kinds, namespace) {
  // Half of the sets at the most lose their binding; the other faults lie in the rest.
  const most = kinds.length === 1 ? sets.length : Math.floor(sets.length / 2)
  const lost = kinds.includes('binding') ? Math.min(Math.ceil(wanted / kinds.length), most) : 0
  const whole = clusters.filter(c => sets.indexOf(c.set) < sets.length - lost)
  const step = Math.max(1, Math.floor(whole.length / Math.max(1, wanted)))
  const pulled = workloads.find(w => w.pull)
  const faults = []
  let unbound = 0
  let at = Math.floor(step / 2)
  const make = {
    label(cluster) {
      cluster.labelled = false
      return root('ManagedCluster', '', cluster.name)
    },
    account(cluster) {
      cluster.accountless = true
      return root('ManagedServiceAccount', cluster.name, 'application-manager')
    },
    unavailable(cluster) {
      cluster.unavailable = true
      return root('ManagedCluster', '', cluster.name)
    },
    work(cluster) {
      if (pulled === undefined)
        throw new Error('an outdated work needs a pulled workload: two Applications per cluster')
      cluster.outdated = pulled
      return root('ManifestWork', cluster.name, workName(pulled, cluster))
    },
  }
  for (let i = 0; i < wanted * kinds.length && faults.length < wanted; i++) {
    const kind = kinds[i % kinds.length]
    if (kind === 'binding') {
      if (unbound >= lost) continue
      const set = sets[sets.length - ++unbound]
      set.bound = false
      faults.push({ kind, root: root('ManagedClusterSetBinding', namespace, set.name) })
      continue
    }
    const cluster = whole[at]
    if (cluster === undefined) break
    at += step
    faults.push({ kind, root: make[kind](cluster) })
  }
  if (faults.length < wanted) throw new Error(`the fleet is too small for ${wanted} faults`)
  return faults
}

function root(kind, namespace, name) {
  return { cluster: 'hub', kind, namespace, name }
}

/** Does the Placement of its set, and that of all clusters, select the cluster? */
export function decided({ labelled, set }) {
  return labelled && set.bound
}

export function workName(workload, cluster) {
  const name = `${workload.name}-${cluster.name}`
  return `${name}-${uid('Application', name).slice(0, 5)}`
}

/** The ApplicationSets: one for each workload and set. */
export function* applicationSetsOf({ workloads, sets }) {
  for (const workload of workloads) {
    for (const set of sets) yield { name: `${workload.name}-${set.name}`, workload, set }
  }
}
