import type { Survivor } from './mutate.ts'

/**
 * Breaks of which nothing is said because they are none: each with the reason and where it is from; `form` is `Kind what`.
 * There is no break any more that is missed.
 */
export const SURVIVORS: readonly (readonly [reason: string, fleet: RegExp, form: RegExp])[] = [
  [
    'the project on the hub does not judge what is pulled: it must only be there (push-pull 1.10 gate 8), default is never delivered (1.10 table "manifests", 5 (7)), and each spoke judges by its own (1.12); no other Application of the fleet uses it',
    /^(pull|upstream)-/,
    /^AppProject \.spec\.(destinations|sourceRepos)/,
  ],
  [
    'nothing is pushed: the generator finds the secret by its name (push-pull 1.8 joins), the template and the ManifestWork lead to the cluster itself (1.10 table ".spec.destination"), so nobody follows the server',
    /^(pull|upstream)-/,
    /^Secret \.data\.server/,
  ],
  [
    'nothing is pushed: the proxy carries only what the Argo CD of the hub asks of a cluster (push-pull 1.7 candidate 1), and the next registration falls back to the API URL by itself',
    /^pull-/,
    /^Service deleted/,
  ],
]

export function knownSurvivor({ fleet, object, what }: Survivor): boolean {
  const kind = object.split('/')[1] ?? ''
  return SURVIVORS.some(([, where, form]) => where.test(fleet) && form.test(`${kind} ${what}`))
}
