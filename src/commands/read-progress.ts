import { resourceName } from '../fleet/kinds.ts'
import type { ReadProgress } from '../kube/kind-reader.ts'

/** More often than this nobody can read. */
const EVERY_MS = 100

/**
 * Makes one line of what is read from how many clusters: `12,500 objects; managedclusters… 500 of 5,000`.
 *
 * @param now epoch milliseconds
 */
export function readProgress(say: (text: string) => void, now: () => number = Date.now): (of: ReadProgress) => void {
  const objects = new Map<string, number>()
  const clusters = new Set<string>()
  let last = Number.NEGATIVE_INFINITY
  return ({ cluster, kind, objects: count, remaining, done }) => {
    clusters.add(cluster)
    objects.set(`${cluster} ${kind}`, count)
    if (now() - last < EVERY_MS) return
    last = now()
    const all = [...objects.values()].reduce((sum, n) => sum + n, 0)
    const total = remaining === undefined || done ? '' : ` of ${(count + remaining).toLocaleString('en')}`
    const where = clusters.size > 1 ? ` on ${clusters.size} clusters` : ''
    say(`${all.toLocaleString('en')} objects${where}; ${resourceName(kind)} ${count.toLocaleString('en')}${total}`)
  }
}
