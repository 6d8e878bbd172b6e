// The recorded fleet whose objects are multiplied: a healthy one, push and pull, with two managed clusters.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { parse } from 'yaml'

const ARCHIVE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'test', 'fleets', 'mixed-healthy.tgz')

/** Names in the recorded fleet that stand for what is multiplied. */
export const [CLUSTER, OTHER, SET] = ['bm', 'sno', 'production']

/** The hub of the recorded fleet: its index, and the items of each list by resource. */
export async function readRecording() {
  const files = new Map()
  const tar = extract()
  tar.end(gunzipSync(readFileSync(ARCHIVE)))
  for await (const entry of tar) {
    const name = /(?:^|\/)hub\/([^/]+)\.yaml$/.exec(entry.header.name)?.[1]
    const parts = []
    for await (const part of entry) parts.push(part)
    if (name !== undefined) files.set(name, parse(Buffer.concat(parts).toString('utf8')))
  }
  const index = files.get('index')
  const items = new Map()
  for (const { resource, file } of index.resources) {
    items.set(resource, file === undefined ? [] : files.get(file.replace(/\.yaml$/, '')).items)
  }
  return {
    index,
    /** When it was recorded, epoch milliseconds. */
    at: Date.parse(index.recordedAt),
    all: resource => items.get(resource),
    /** A copy of the first object of a resource for which `where` holds. */
    first(resource, where = () => true) {
      const found = items.get(resource).find(where)
      if (found === undefined) throw new Error(`the recorded fleet has no such ${resource}`)
      return structuredClone(found)
    },
  }
}

/** Does a name occur in an object, as a word? */
export function mentions(object, name) {
  return new RegExp(`\\b${name}\\b`).test(JSON.stringify(object))
}

export function isPull(object) {
  return JSON.stringify(object).includes('ocm-managed-cluster')
}

/** The names that a recorded workload has in its objects, and what takes their place. */
export function workloadNames(pull) {
  return pull
    ? { branding: 'workload' }
    : { 'setup-compliance-operator': 'workload', 'compliance-operator': 'workload' }
}
