import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SourceError } from '../errors.ts'
import type { RenderOptions } from './options.ts'
import { cleanDocument } from './sanitize.ts'
import type { Target } from './targets.ts'
import type { View } from './view.ts'

/** A target that is ready: its module is loaded and its expression understood, so that a mistake shows before the run. */
export type Prepared<T> = (document: T, options: RenderOptions) => string

/**
 * Loads what a target needs. Forms that are not JSON get a document without terminal escapes and control characters.
 *
 * @throws UsageError for an expression that cannot be understood
 */
export async function prepare<T extends object>(target: Target, view: View<T>, cwd: string): Promise<Prepared<T>> {
  switch (target.format) {
    case 'json': {
      const { toJson } = await import('./json.ts')
      return document => toJson(document)
    }
    case 'jsonl': {
      const { toJsonLines } = await import('./json.ts')
      return document => toJsonLines(view.rows(document), view.rowKind)
    }
    case 'yaml': {
      const { toYaml } = await import('./yaml.ts')
      return document => toYaml(document)
    }
    case 'name': {
      const { toNames } = await import('./name.ts')
      return document => toNames(view.names(cleanDocument(document)))
    }
    case 'jsonpath':
    case 'jsonpath-file': {
      const { compileJsonPath } = await import('./jsonpath.ts')
      const text = target.format === 'jsonpath' ? target.expression : await template(target.expression, cwd)
      const evaluate = compileJsonPath(text)
      return document => evaluate(cleanDocument(document))
    }
    case 'custom-columns': {
      const { compileColumns } = await import('./custom-columns.ts')
      const evaluate = compileColumns(target.expression)
      return (document, options) => evaluate(view.rows(cleanDocument(document)), options)
    }
    default: {
      const load = view.forms[target.format]
      if (load === undefined) throw new Error(`no renderer for format ${target.format}`)
      const render = await load()
      return (document, options) => render(cleanDocument(document), options)
    }
  }
}

async function template(path: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, path), 'utf8')
  } catch (cause) {
    throw new SourceError(`cannot read the template "${path}": no such file, or no right to read it`, { cause })
  }
}
