import { readFile } from 'node:fs/promises'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { type Place, settingsFiles } from './places.ts'
import type { SettingsFile } from './read.ts'

/** No settings file is near this. */
const MOST_BYTES = 1024 * 1024

const loaded = new WeakMap<Context, Promise<readonly SettingsFile[]>>()

async function load(place: Place, known: readonly string[]): Promise<SettingsFile> {
  let text: string
  try {
    text = await readFile(place.path, 'utf8')
  } catch (cause) {
    throw new UsageError(`cannot read ${place.shown}: it is no file, or there is no right to read it`, { cause })
  }
  if (text.length > MOST_BYTES) throw new UsageError(`${place.shown} is larger than 1 MiB, so it holds no settings`)
  // YAML is loaded only where there is something to read.
  return (await import('./read.ts')).readSettings(text, place, known)
}

/**
 * The settings files that apply to a run, in the order in which they win. Each is read once.
 *
 * @param known every flag that some command has, without `--`
 * @throws UsageError for a file that cannot be read or is not understood
 */
export function loadSettings(context: Context, known: readonly string[]): Promise<readonly SettingsFile[]> {
  const before = loaded.get(context)
  if (before !== undefined) return before
  const files = Promise.all(settingsFiles(context).map(place => load(place, known)))
  loaded.set(context, files)
  return files
}

/** The settings files of a run whose flags were set from them before. */
export async function settingsOf(context: Context): Promise<readonly SettingsFile[]> {
  return (await loaded.get(context)) ?? []
}
