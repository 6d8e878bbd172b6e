import { KINDS, type KindName } from '../fleet/kinds.ts'
import { Duplicates } from './duplicates.ts'
import { fingerprint, TooBigError } from './fingerprint.ts'
import { nameOf } from './objects.ts'
import { printable } from './printable.ts'
import type { ObjectSink } from './source.ts'

/** What became of an object that was to be handed on. `lost`: it is missing now; `odd`: worth telling. */
type Outcome = { readonly lost: string } | { readonly odd: string } | undefined

/** Hands objects on to the sink, each one once: of two states of an object the newer, else the later one. */
export class Handover {
  readonly #sink: ObjectSink
  readonly #duplicates = new Duplicates()

  constructor(sink: ObjectSink) {
    this.#sink = sink
  }

  /** @param compare whether a second copy is compared by content, or by resource version only. */
  object(cluster: string, kind: KindName, raw: object, where: string, compare: boolean): Outcome {
    let print: number | undefined
    try {
      print = compare ? fingerprint(raw) : undefined
    } catch (error) {
      if (error instanceof TooBigError) return { lost: `${title(kind, raw)} ${error.message}: not read` }
      throw error
    }
    const repeat = this.#duplicates.repeat(cluster, kind, raw, print)
    if (repeat === 'same') return undefined
    if (repeat === undefined || (repeat !== 'older' && this.#sink.replace === undefined))
      this.#sink.object(cluster, kind, raw, where)
    else if (repeat !== 'older') this.#sink.replace?.(cluster, kind, raw, where)
    if (repeat === undefined) return undefined
    const twice = `${title(kind, raw)} is there twice, in different states`
    return repeat === 'other'
      ? { lost: `${twice} of unknown age: the last one is used` }
      : { odd: `${twice}: the one with the higher resourceVersion is used` }
  }
}

/** `namespace/Kind/name`, safe to print. */
function title(kind: KindName, raw: object): string {
  const id = nameOf(kind, raw)
  if (id === undefined) return kind
  return `${KINDS[kind].namespaced ? `${printable(id.namespace)}/` : ''}${kind}/${printable(id.name)}`
}
