import type { StringMap } from '../../fleet/records.ts'
import type { Manifest } from '../object.ts'

/** A Namespace. */
export function namespace(name: string, labels?: StringMap): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(labels === undefined ? {} : { labels }) } }
}
