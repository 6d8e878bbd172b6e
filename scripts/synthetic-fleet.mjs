// Writes a fleet of any size as a snapshot in JSON lists, its objects multiplied from those of a recorded fleet:
//
//   node scripts/synthetic-fleet.mjs CLUSTERS APPLICATIONS OUT [--broken N] [--kinds LIST] [--sets N] [--pulled N] [--compact]
//
// One half of the workloads is pushed, the other pulled (--pulled N: so many are); each cluster has an Application of every workload, so APPLICATIONS is a
// multiple of CLUSTERS. The hub alone is there, in lists as `kubectl get -o json` prints them; --compact leaves out the white
// space. The fleet is healthy but for --broken N: then N faults are made, of the kinds in turn (binding, label, account,
// unavailable, work), with the traces that real controllers leave of them. Each is printed as one line of JSON, with the object
// that a doctor ought to name as its root.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { accounts, addOns, leases, managedClusters, perCluster, secrets, unnamed } from './synthetic/clusters.mjs'
import { applicationSets, applications, reports, works } from './synthetic/delivery.mjs'
import { layout } from './synthetic/form.mjs'
import { KINDS, planFleet } from './synthetic/plan.mjs'
import { readRecording } from './synthetic/recorded.mjs'
import { bindings, clusterSets, decisions, gitOpsClusters, placements } from './synthetic/selection.mjs'

/** Resources that need more than a copy for every cluster. */
const MADE = {
  managedclusters: managedClusters,
  managedclustersets: clusterSets,
  managedclustersetbindings: bindings,
  placements,
  placementdecisions: decisions,
  gitopsclusters: gitOpsClusters,
  managedserviceaccounts: accounts,
  managedclusteraddons: addOns,
  leases,
  secrets,
  applicationsets: applicationSets,
  applications,
  manifestworks: works,
  multiclusterapplicationsetreports: reports,
  // Those of the clusters are gone an hour after they were approved (kube-controller-manager csrcleaner).
  certificatesigningrequests: context => unnamed(context, 'certificatesigningrequests'),
}

try {
  await main()
} catch (error) {
  console.error(`error: ${error.message}`)
  process.exitCode = 2
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      broken: { type: 'string', default: '0' },
      kinds: { type: 'string', default: KINDS.join(',') },
      sets: { type: 'string' },
      pulled: { type: 'string' },
      compact: { type: 'boolean', default: false },
    },
  })
  const [clusters, applicationCount, out] = positionals
  if (out === undefined) throw new Error('usage: synthetic-fleet.mjs CLUSTERS APPLICATIONS OUT [options]')
  const recorded = await readRecording()
  const { namespace } = recorded.first('gitopsclusters').metadata
  const fleet = planFleet({
    clusters: Number(clusters),
    applications: Number(applicationCount),
    sets: values.sets === undefined ? undefined : Number(values.sets),
    pulled: values.pulled === undefined ? undefined : Number(values.pulled),
    broken: Number(values.broken),
    kinds: values.kinds.split(','),
    namespace,
  })
  const ago = minutes => new Date(recorded.at - minutes * 60_000).toISOString().replace('.000Z', 'Z')
  write(out, { recorded, fleet, namespace, ago, ...layout(values.compact) })
  for (const { kind, root } of fleet.faults) console.log(JSON.stringify({ kind, root }))
}

function write(out, context) {
  const folder = join(out, 'hub')
  mkdirSync(folder, { recursive: true })
  const { index } = context.recorded
  const resources = index.resources.map(({ file, count: _, ...entry }) => {
    const { resource, apiVersion } = entry
    const name = `${resource}${apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : ''}.json`
    const make = MADE[resource] ?? (c => perCluster(c, resource))
    const count = file === undefined ? 0 : writeList(join(folder, name), make(context), context)
    return { ...entry, count, ...(count === 0 ? {} : { file: name }) }
  })
  writeFileSync(join(folder, 'index.json'), `${JSON.stringify({ ...index, resources }, null, 2)}\n`)
}

function writeList(path, texts, { head, foot }) {
  const file = openSync(path, 'w')
  let count = 0
  let chunk = head
  for (const text of texts) {
    chunk += `${count++ === 0 ? '' : ',\n'}${text}`
    if (chunk.length < 1 << 20) continue
    writeSync(file, chunk)
    chunk = ''
  }
  writeSync(file, `${chunk}${foot}`)
  closeSync(file)
  return count
}
