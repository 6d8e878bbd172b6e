import type { KindName } from '../../fleet/kinds.ts'
import { clean } from '../../output/sanitize.ts'
import type { Engine } from '../deps.ts'

/** Names of all objects of a kind on the hub, sorted; none without a source or for `-`, which can be read but once. */
export async function namesOf(engine: Engine, kind: KindName, from: string | undefined): Promise<string[]> {
  if (from === undefined || from === '' || from === '-') return []
  const source = await engine.openPath(from, {})
  const names = new Set<string>()
  await source.read(new Set([kind]), {
    object: (_, __, raw) => {
      const name = nameOf(raw)
      if (name !== undefined) names.add(clean(name))
    },
  })
  return [...names].sort()
}

function nameOf(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null || !('metadata' in raw)) return undefined
  const { metadata } = raw
  if (typeof metadata !== 'object' || metadata === null || !('name' in metadata)) return undefined
  return typeof metadata.name === 'string' ? metadata.name : undefined
}
