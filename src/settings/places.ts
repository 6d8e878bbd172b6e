import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Context } from '../context.ts'

/** Whose settings a file holds; those of the project win. */
export type Scope = 'project' | 'user'

/** A settings file that there may be. */
export interface Place {
  readonly scope: Scope
  readonly path: string
  /** How messages name it: from the working directory, or from the home. */
  readonly shown: string
}

type Where = Pick<Context, 'cwd' | 'env' | 'platform'>

const PROJECT_FILE = '.fleetctl.yaml'

/** The folders from the working directory up to the root of its repository; outside of one the working directory alone. */
function foldersUp(cwd: string): string[] {
  const folders: string[] = []
  for (let at = cwd; ; at = dirname(at)) {
    folders.push(at)
    if (existsSync(join(at, '.git'))) return folders
    // Whatever lies further up (a folder that everybody may write to) is not the project's.
    if (dirname(at) === at) return [cwd]
  }
}

/** The folder of the user's settings: `$XDG_CONFIG_HOME`, else `~/.config`; `%AppData%` on Windows. */
function userFolder({ env, platform }: Where): string | undefined {
  const home = env.HOME ?? env.USERPROFILE
  const own = platform === 'win32' ? (env.APPDATA ?? env.AppData) : undefined
  return env.XDG_CONFIG_HOME || own || (home === undefined || home === '' ? undefined : join(home, '.config'))
}

/** The settings files that apply in the working directory, in the order in which they win. */
export function settingsFiles(where: Where): Place[] {
  const places: Place[] = []
  const folder = foldersUp(where.cwd).find(at => existsSync(join(at, PROJECT_FILE)))
  if (folder !== undefined) {
    const path = join(folder, PROJECT_FILE)
    places.push({ scope: 'project', path, shown: relative(where.cwd, path) })
  }
  const user = userPlace(where)
  if (user !== undefined && existsSync(user.path)) places.push(user)
  return places
}

/** Where the user's settings are, or would be; undefined without a home. */
function userPlace(where: Where): Place | undefined {
  const folder = userFolder(where)
  if (folder === undefined) return undefined
  const path = join(folder, 'fleetctl', 'config.yaml')
  const home = where.env.HOME ?? ''
  const shown = home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
  return { scope: 'user', path, shown }
}
