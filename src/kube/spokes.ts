import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { parse } from 'yaml'
import { UsageError } from '../errors.ts'
import { isObject, text } from '../raw.ts'

/** A managed cluster to read, and the kubeconfig entry that leads to it. */
export interface SpokeRef {
  /** Name of the ManagedCluster. */
  readonly name: string
  /** Context in `kubeconfig`, or in the user's own where that is empty; empty: the file's current context. */
  readonly context: string
  readonly kubeconfig: string
}

interface SpokeFlags {
  readonly spokes?: readonly string[]
  /** `NAME=CONTEXT`. */
  readonly spokeContexts?: readonly string[]
  readonly spokesFrom?: string
}

/**
 * The spokes that the flags name. `--spoke NAME` alone takes the context of that name.
 *
 * @throws UsageError for a malformed or repeated entry, or a file that cannot be read.
 */
export function spokeRefs(flags: SpokeFlags): readonly SpokeRef[] {
  const refs = new Map<string, SpokeRef>()
  for (const ref of flags.spokesFrom === undefined ? [] : spokesFile(flags.spokesFrom)) refs.set(ref.name, ref)
  for (const pair of flags.spokeContexts ?? []) {
    const at = pair.indexOf('=')
    const [name, context] = [pair.slice(0, at), pair.slice(at + 1)]
    if (at < 1 || context === '') throw new UsageError(`invalid --spoke-context "${pair}": use NAME=CONTEXT`)
    refs.set(name, { name, context, kubeconfig: '' })
  }
  const named = flags.spokes ?? []
  for (const name of named) if (!refs.has(name)) refs.set(name, { name, context: name, kubeconfig: '' })
  // With --spoke the file and the contexts only say where, not which.
  return named.length === 0 ? [...refs.values()] : [...refs.values()].filter(ref => named.includes(ref.name))
}

/**
 * A file that maps managed clusters to contexts: `bm: context-of-bm`, or `bm: { kubeconfig: bm.yaml, context: admin }`.
 * Paths count from the file's folder.
 */
function spokesFile(file: string): readonly SpokeRef[] {
  let content: unknown
  try {
    content = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''
    throw new UsageError(`--spokes-from ${file} cannot be read: ${why}`, { cause: error })
  }
  if (!isObject(content)) throw new UsageError(`--spokes-from ${file} is no mapping of clusters to contexts`)
  return Object.entries(content).map(([name, value]) => {
    if (typeof value === 'string' && value !== '') return { name, context: value, kubeconfig: '' }
    const [context, kubeconfig] = isObject(value) ? [text(value.context), text(value.kubeconfig)] : ['', '']
    if (context === '' && kubeconfig === '') {
      throw new UsageError(`--spokes-from ${file}: "${name}" names neither a context nor a kubeconfig`)
    }
    const path = kubeconfig === '' || isAbsolute(kubeconfig) ? kubeconfig : join(dirname(file), kubeconfig)
    return { name, context, kubeconfig: path }
  })
}
