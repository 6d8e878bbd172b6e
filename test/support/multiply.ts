import { isObject } from '../../src/raw.ts'
import type { ApiServer } from './apiserver.ts'

/** An object of a server that copies are made of. */
export interface CopyOf {
  /** Where its kind lies in etcd, e.g. `argoproj.io/applications`. */
  readonly folder: string
  /** Empty: cluster-scoped. */
  readonly namespace: string
  readonly name: string
}

/** Copies of an object under the names `more-0`, `more-1`, …, owned and labelled by nobody, written below the API server. */
export async function multiply(
  server: ApiServer,
  { at, folder, namespace }: CopyOf & { readonly at: string },
  count: number,
): Promise<void> {
  const model = await server.request('GET', at)
  if (!isObject(model) || !isObject(model.metadata)) throw new Error(at)
  const { resourceVersion: _, ...metadata } = model.metadata
  const entries = Array.from({ length: count }, (_, i): [string, unknown] => {
    const name = `more-${i}`
    const uid = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
    const own = { ...metadata, name, uid, labels: {}, ownerReferences: [] }
    return [`${server.prefix}/${folder}/${namespace === '' ? '' : `${namespace}/`}${name}`, { ...model, metadata: own }]
  })
  await server.etcd.put(entries)
}
