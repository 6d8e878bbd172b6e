/** Writes to etcd through its JSON gateway, below the API server: objects keep their uid, times and owners as recorded. */
export class Etcd {
  readonly #url: string
  constructor(url: string) {
    this.#url = url
  }

  async put(entries: readonly (readonly [string, unknown])[], batch = 100): Promise<void> {
    for (let at = 0; at < entries.length; at += batch) {
      const success = entries.slice(at, at + batch).map(([key, value]) => ({
        requestPut: { key: base64(key), value: base64(JSON.stringify(value)) },
      }))
      await this.#call('/v3/kv/txn', { success })
    }
  }

  /** Deletes the key, or with `prefix` all keys that begin with it. */
  async remove(key: string, prefix = false): Promise<void> {
    const body = prefix ? { key: base64(key), range_end: base64(after(key)) } : { key: base64(key) }
    await this.#call('/v3/kv/deleterange', body)
  }

  /** Forgets all older revisions, so that running lists expire. */
  async compact(): Promise<void> {
    const answer = await this.#call('/v3/kv/range', { key: base64('/') })
    const revision = typeof answer === 'object' && answer !== null && 'header' in answer ? answer.header : undefined
    const number = typeof revision === 'object' && revision !== null && 'revision' in revision ? revision.revision : 0
    await this.#call('/v3/kv/compaction', { revision: String(number), physical: true })
  }

  async #call(path: string, body: unknown): Promise<unknown> {
    const answer = await fetch(this.#url + path, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`etcd ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}

/** The first key after all keys with this prefix. */
function after(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
}
