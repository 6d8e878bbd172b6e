import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import {
  type ClusterConfig,
  type ContextConfig,
  type Kubeconfig,
  parseKubeconfig,
  type UserConfig,
} from './kubeconfig-file.ts'

/** Where kubeconfigs come from, given from outside. */
export interface KubeEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Folder of a pod's ServiceAccount; absent for the usual one. */
  readonly serviceAccountFolder?: string
}

/**
 * The merged kubeconfig, as kubectl merges: `--kubeconfig` alone if given (and then it must exist), else the files of
 * KUBECONFIG, else `~/.kube/config`. The first file that has a name wins, missing files are skipped.
 * Source: client-go tools/clientcmd/loader.go.
 *
 * @throws UsageError when a file cannot be read or is no kubeconfig.
 */
export function loadKubeconfig(place: KubeEnvironment, explicit = ''): Kubeconfig {
  const merged = {
    currentContext: '',
    clusters: new Map<string, ClusterConfig>(),
    users: new Map<string, UserConfig>(),
    contexts: new Map<string, ContextConfig>(),
  }
  if (explicit !== '' && !existsSync(explicit)) throw new UsageError(`kubeconfig ${explicit} does not exist`)
  for (const file of kubeconfigFiles(place, explicit)) {
    const content = readIfThere(file)
    if (content === undefined) continue
    const config = parseKubeconfig(content, file)
    if (merged.currentContext === '') merged.currentContext = config.currentContext
    addMissing(merged.clusters, config.clusters)
    addMissing(merged.users, config.users)
    addMissing(merged.contexts, config.contexts)
  }
  return merged
}

/** The files that are merged, in order of precedence, absolute. */
function kubeconfigFiles({ env, home }: KubeEnvironment, explicit = ''): readonly string[] {
  if (explicit !== '') return [resolve(explicit)]
  const listed = env.KUBECONFIG ?? ''
  if (listed === '') return [join(home, '.kube', 'config')]
  return [...new Set(listed.split(delimiter).filter(file => file !== ''))].map(file => resolve(file))
}

/** The content of a file, undefined where there is none. @throws UsageError when it is there and cannot be read. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new UsageError(`kubeconfig ${file} cannot be read (${String(code || error)})`, { cause: error })
  }
}

function addMissing<T>(into: Map<string, T>, from: ReadonlyMap<string, T>): void {
  for (const [name, entry] of from) if (!into.has(name)) into.set(name, entry)
}
