import { kindOfResource } from '../fleet/kinds.ts'
import { parseDocuments } from './documents.ts'
import { printable } from './printable.ts'
import { parseIndex, type RecordingIndex } from './recording.ts'
import type { SourceProblem } from './source.ts'
import { takeText } from './text.ts'
import { baseOf, dirOf, type FileContent, type FileTree, stemOf } from './tree.ts'

export interface IndexFile {
  readonly path: string
  readonly index: RecordingIndex | undefined
}

/** The indexes of recorded clusters, by folder. One that cannot be read still marks its folder, by the files beside it. */
export async function readIndexes(
  tree: FileTree,
  paths: readonly string[],
): Promise<{ indexes: Map<string, IndexFile>; problems: SourceProblem[] }> {
  const indexes = new Map<string, IndexFile>()
  const problems: SourceProblem[] = []
  const named = paths.filter(path => /^index\.(ya?ml|json)$/i.test(baseOf(path)))
  const recorded = new Set(paths.filter(path => kindOfResource(stemOf(path)) !== undefined).map(dirOf))
  await tree.read(named, (path, content) => {
    const folder = dirOf(path)
    const found = indexIn(content)
    if ('index' in found) {
      if (found.index !== undefined) indexes.set(folder, { path, index: found.index })
    } else if (recorded.has(folder)) {
      indexes.set(folder, { path, index: undefined })
      problems.push({ where: printable(path), ...found })
    }
  })
  return { indexes, problems }
}

function indexIn(content: FileContent): { index: RecordingIndex | undefined } | { message: string; line?: number } {
  const decoded = takeText(content)
  if ('failure' in decoded) return { message: decoded.failure }
  const [document] = parseDocuments(decoded.text)
  if (document === undefined) return { message: 'it is empty' }
  if (document.error === undefined) return { index: parseIndex(document.value) }
  return { message: document.error, ...(document.line === undefined ? {} : { line: document.line }) }
}
