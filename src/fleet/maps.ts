/** The value under a key, made and stored first where there is none. */
export function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** Adds a value to the list under a key. */
export function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/** Values by key; of several with one key the last. */
export function indexBy<K, V>(values: Iterable<V>, key: (value: V) => K): Map<K, V> {
  const map = new Map<K, V>()
  for (const value of values) map.set(key(value), value)
  return map
}

/** Lists by key. */
export function groupBy<K, V>(values: Iterable<V>, key: (value: V) => K): Map<K, V[]> {
  const map = new Map<K, V[]>()
  for (const value of values) pushTo(map, key(value), value)
  return map
}
