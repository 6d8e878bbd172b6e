import { printable } from './printable.ts'
import { baseOf, isArchiveName, isIgnored, isRead, type TreeGap } from './tree.ts'

/** Sorts the entries of an archive by their names, and keeps what is to be told of those that are left out. */
export class ArchiveNames {
  readonly gaps: TreeGap[] = []
  readonly notes: string[] = []

  /** The entry's place in the tree when its content may hold objects; undefined otherwise. */
  take(name: string): string | undefined {
    const path = pathInside(name)
    if (path === undefined) {
      const message = 'its name leads out of the archive: not read'
      this.gaps.push({ path: name, folder: false, message, outside: true })
      return undefined
    }
    if (path.split('/').some(isIgnored)) return undefined
    if (isArchiveName(path)) this.notes.push(`${printable(path)} is an archive inside an archive: not read`)
    return isRead(baseOf(path)) ? path : undefined
  }

  /** A file of which there is no content. */
  gap(path: string, message: string): void {
    this.gaps.push({ path, folder: false, message })
  }
}

/**
 * The place of an entry inside the archive. A name that is absolute or that climbs out with `..` has none: nothing is ever
 * written to disk, but such an archive was made to deceive, and its entry belongs nowhere.
 */
function pathInside(name: string): string | undefined {
  if (/^[/\\]|^[A-Za-z]:|\0/.test(name)) return undefined
  if (name.split(/[/\\]/).includes('..')) return undefined
  return name
    .split('/')
    .filter(part => part !== '' && part !== '.')
    .join('/')
}
