import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it that are missing. One by one: Node's own recursive way never ends below a file system
 * that answers "no such file" where a folder cannot be made, such as /proc.
 *
 * @param mode of the folders that are made
 * @throws the system's error for the first that cannot be made, or that is there and no folder
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = []
  for (let at = resolve(path); statSync(at, { throwIfNoEntry: false })?.isDirectory() !== true; at = dirname(at)) {
    missing.push(at)
    if (at === dirname(at)) break
  }
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode })
    } catch (error) {
      // Another may have made it in the meantime.
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
    }
  }
}
