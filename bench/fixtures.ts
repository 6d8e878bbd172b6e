import { isObject, type RawObject, valueAt } from '../src/raw.ts'

/** What is put into the API server for a bench: shapes of recorded objects, padded to the wanted size. */
export interface Seed {
  readonly key: string
  readonly object: RawObject
}

/** `count` Applications of about `bytes` of JSON, made after a recorded one; spread over a hundred clusters. */
export function* applications(template: RawObject, count: number, bytes: number): Generator<Seed> {
  const { resourceVersion: _, ...metadata } = isObject(template.metadata) ? template.metadata : {}
  const status = isObject(template.status) ? template.status : {}
  const resources: RawObject[] = []
  const base = { ...template, metadata, status: { ...status, resources } }
  for (let i = 0; JSON.stringify(base).length < bytes; i++) {
    resources.push({
      group: 'apps',
      health: { status: 'Healthy' },
      kind: 'Deployment',
      name: `workload-${i}`,
      namespace: 'branding',
      status: 'Synced',
      version: 'v1',
    })
  }
  for (let i = 0; i < count; i++) {
    const name = `app-${String(i).padStart(6, '0')}`
    const uid = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
    const cluster = `cluster-${i % 100}`
    yield {
      key: `argoproj.io/applications/${String(valueAt(metadata, 'namespace'))}/${name}`,
      object: {
        ...base,
        metadata: {
          ...metadata,
          name,
          uid,
          annotations: {
            ...(isObject(metadata.annotations) ? metadata.annotations : {}),
            'apps.open-cluster-management.io/ocm-managed-cluster': cluster,
          },
        },
      },
    }
  }
}
