// Copies of recorded objects, as text.
import { createHash } from 'node:crypto'
import { CLUSTER, SET } from './recorded.mjs'

let version = 10_000

export function nextVersion() {
  return String(++version)
}

/** The uid of an object, always the same for the same fleet. */
export function uid(...path) {
  const hex = createHash('md5').update(path.join('/')).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** How lists are laid out: as `kubectl get -o json` prints them, or without white space, as the API sends them. */
export function layout(compact) {
  return compact
    ? {
        print: object => JSON.stringify(object),
        head: '{"apiVersion":"v1","items":[\n',
        foot: '\n],"kind":"List","metadata":{"resourceVersion":""}}\n',
      }
    : {
        print: object => JSON.stringify(object, null, 4).replaceAll(/^/gm, '        '),
        head: '{\n    "apiVersion": "v1",\n    "items": [\n',
        foot: '\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n',
      }
}

/**
 * An object as a form: what stands for a cluster, a set or a workload in it, and its identity, is filled in for each copy. Texts
 * such as `@name@` are places to fill as well.
 *
 * @param names what to replace, by the name of the value that takes its place.
 */
export function form(print, object, names = { [CLUSTER]: 'cluster', [SET]: 'set' }) {
  const copy = structuredClone(object)
  copy.metadata.uid = '@uid@'
  copy.metadata.resourceVersion = '@version@'
  const words = Object.keys(names).sort((a, b) => b.length - a.length)
  const parts = print(copy).split(new RegExp(`(@\\w+@|\\b(?:${words.join('|')})\\b)`))
  const keys = parts.map((part, i) => (i % 2 === 0 ? undefined : (names[part] ?? part.slice(1, -1))))
  return values => {
    let text = ''
    for (let i = 0; i < parts.length; i++) {
      const key = keys[i]
      if (key === undefined) text += parts[i]
      else if (key === 'version') text += nextVersion()
      else text += values[key] ?? parts[i]
    }
    return text
  }
}
