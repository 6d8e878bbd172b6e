import type { Survivor } from './mutate.ts'

/** Breaks of which nothing is said although they are none too, each with the reason; `form` is `Kind what`. */
export const SURVIVORS: readonly (readonly [reason: string, fleet: RegExp, form: RegExp])[] = [
  [
    'no Application of the fleet is judged by this project: those that are pulled take the project of their spoke, and those that are pushed have no namespace of their own',
    /./,
    /^AppProject \.spec\.(destinations|sourceRepos)/,
  ],
  [
    'the secret and the proxy are not used: nothing of the fleet is pushed',
    /^(pull|upstream)-/,
    /^(Secret \.data\.server|Service deleted)/,
  ],
  [
    'the finalizer on the copy decides only what happens at a deletion, and nobody says whether the work agent brings it back',
    /^(pull|upstream)-/,
    /^Application \.metadata\.finalizers emptied/,
  ],
  [
    'what a ManifestWork carries beside its Application: an object of another kind or namespace is no fault by itself',
    /^pull-/,
    /^ManifestWork \.spec\.workload\.manifests\[\d+\]\.(kind changed|metadata\.namespace)/,
  ],
  [
    'an option that the template had and the Applications still have: the controller takes it away, or ignores it',
    /^pull-/,
    /^ApplicationSet \.spec\.template\.spec\.syncPolicy\.syncOptions emptied/,
  ],
  [
    'the Route is there until the operator looks again; pods are not matched with the selectors of Services',
    /^agent-/,
    /^(ArgoCD \.spec\.argoCDAgent\.principal\.server\.route\.enabled|Service \.spec\.selector)/,
  ],
]

export function knownSurvivor({ fleet, object, what }: Survivor): boolean {
  const kind = object.split('/')[1] ?? ''
  return SURVIVORS.some(([, where, form]) => where.test(fleet) && form.test(`${kind} ${what}`))
}
