import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { EXIT, FleetctlError, UsageError } from '../errors.ts'

/** Where a snapshot goes. */
export interface SnapshotTarget {
  /** As the user gave it. */
  readonly name: string
  readonly path: string
  readonly format: 'folder' | 'archive'
}

/** A path that ends in `.tgz` or `.tar.gz` is an archive, any other a folder. */
export function targetOf(name: string, cwd: string): SnapshotTarget {
  return { name, path: resolve(cwd, name), format: /\.(tgz|tar\.gz)$/i.test(name) ? 'archive' : 'folder' }
}

/**
 * Refuses a target before anything is read. What is there is replaced only with `force`, and only a snapshot by a snapshot:
 * a slip of the hand must not cost a folder of other things.
 *
 * @throws FleetctlError (6) where something is there; UsageError where nothing can be written
 */
export function checkTarget({ name, path, format }: SnapshotTarget, force: boolean): void {
  const parent = dirname(path)
  if (!statOf(parent)?.isDirectory()) throw new UsageError(`cannot write "${name}": there is no folder ${parent}`)
  const known = statOf(path)
  if (known === undefined || (known.isDirectory() && readdirSync(path).length === 0 && format === 'folder')) return
  if (!force) {
    throw new FleetctlError(`"${name}" is there already; pass --force to replace an earlier snapshot`, EXIT.refused)
  }
  const isSnapshot = known.isDirectory() ? format === 'folder' && holdsSnapshot(path) : isArchive(path, format)
  if (isSnapshot) return
  throw new FleetctlError(
    `"${name}" is there and no snapshot of fleetctl, so --force does not replace it; name another path`,
    EXIT.refused,
  )
}

/** A folder of clusters whose hub says that fleetctl recorded it, with nothing else beside them. */
function holdsSnapshot(path: string): boolean {
  const isOurs = /^recordedBy: .?fleetctl /m.test(textOf(join(path, 'hub', 'index.yaml')))
  return isOurs && readdirSync(path).every(entry => existsSync(join(path, entry, 'index.yaml')))
}

function isArchive(path: string, format: SnapshotTarget['format']): boolean {
  if (format !== 'archive' || statOf(path)?.isFile() !== true) return false
  const head = Buffer.alloc(2)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, 2, 0)
  } finally {
    closeSync(file)
  }
  // The mark of gzip.
  return head.equals(Buffer.from([0x1f, 0x8b]))
}

function textOf(path: string): string {
  return statOf(path)?.isFile() === true ? readFileSync(path, 'utf8') : ''
}

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false })

/** A folder beside a target, for what is not finished; hidden, and on the same file system, so that a rename is enough. */
export function stageFor({ path }: SnapshotTarget): string {
  const stage = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  mkdirSync(stage, { mode: 0o700 })
  return stage
}

/** Puts a finished file or folder in the place of the target. What was there stays until the new one is in its place. */
export function moveInto(finished: string, { path }: SnapshotTarget, stage: string): void {
  if (statOf(path)?.isDirectory() !== true) {
    renameSync(finished, path)
    return
  }
  const old = join(stage, 'replaced')
  renameSync(path, old)
  try {
    renameSync(finished, path)
  } catch (error) {
    renameSync(old, path)
    throw error
  }
  rmSync(old, { recursive: true, force: true })
}
