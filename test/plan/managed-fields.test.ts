import { describe, expect, test } from 'vitest'
import { ownersAt } from '../../src/plan/managed-fields.ts'

/** An object whose fields one manager owns, as an API server writes them (FieldsV1). */
const owned = (fieldsV1: unknown, kind = 'ConfigMap') => ({
  kind,
  metadata: { managedFields: [{ manager: 'other', operation: 'Update', fieldsV1 }] },
})

describe('who owns a field', () => {
  test('a map of which somebody owns no entry leaves its entries to anybody', () => {
    // Seen on an API server: what `before-first-apply` keeps when its last entry was taken over by force.
    const object = owned({ 'f:data': {} })
    expect(ownersAt(object, ['data', 'config.yaml'], 'fleetctl')).toEqual([])
  })

  test('a value that is owned as a whole is owned in all its parts', () => {
    const object = owned({ 'f:spec': { 'f:placementRef': {} } }, 'GitOpsCluster')
    expect(ownersAt(object, ['spec', 'placementRef', 'kind'], 'fleetctl')).toEqual(['other'])
    expect(ownersAt(object, ['spec', 'argoServer'], 'fleetctl')).toEqual([])
  })

  test('an entry of a map is owned by whoever has it', () => {
    const object = owned({ 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } })
    expect(ownersAt(object, ['metadata', 'labels', 'a'], 'fleetctl')).toEqual(['other'])
    expect(ownersAt(object, ['metadata', 'labels', 'b'], 'fleetctl')).toEqual([])
  })
})
