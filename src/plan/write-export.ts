import { lstat, readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import { writeFileAtomically } from '../output/write.ts'
import { type ExportFile, MARK } from './export-files.ts'

/** A README of ours says so in its third line; it cannot begin with a comment. */
const README_MARK = 'Made by this command:'

async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isDirectory() ? '' : await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}

function isOurs(file: ExportFile, text: string): boolean {
  return file.path.endsWith('.md') ? text.includes(README_MARK) : text.startsWith(MARK)
}

async function leftOver(folder: string, written: ReadonlySet<string>): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const left: string[] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).split(sep).join('/')
    if (!entry.isFile() || written.has(name) || !name.endsWith('.yaml')) continue
    if ((await readFile(path, 'utf8')).startsWith(MARK)) left.push(name)
  }
  return left.sort()
}

interface Written {
  readonly files: readonly string[]
  /** Files of an earlier export that do not belong to this plan. */
  readonly left: readonly string[]
}

/**
 * Writes the files of a plan. Files of an earlier export are replaced; others are never touched.
 *
 * @throws UsageError when a file is there that fleetctl did not write, or the folder cannot be written; nothing is written then
 */
export async function writeExport(folder: string, files: readonly ExportFile[], cwd: string): Promise<Written> {
  const root = resolve(cwd, folder)
  if (
    await lstat(root).then(
      s => !s.isDirectory(),
      () => false,
    )
  ) {
    throw new UsageError(`cannot export to "${folder}": it is no folder`)
  }
  for (const file of files) {
    const text = await textOf(join(root, file.path))
    if (text === undefined || isOurs(file, text)) continue
    throw new UsageError(
      `cannot export to "${folder}": ${file.path} is there and was not written by fleetctl; choose another folder`,
    )
  }
  for (const file of files) {
    const path = join(root, file.path)
    try {
      makeFolder(dirname(path))
    } catch (cause) {
      throw new UsageError(`cannot export to "${folder}": no right to make folders there`, { cause })
    }
    await writeFileAtomically(path, file.text, cwd)
  }
  return { files: files.map(file => file.path), left: await leftOver(root, new Set(files.map(file => file.path))) }
}
