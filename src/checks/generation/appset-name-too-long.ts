import { appSets } from '../../fleet/joins/appsets.ts'
import { PULL_LABEL, PULL_TARGET } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { APPSET_NEEDS, type Named, renderedFor } from './appset-support.ts'

/** Names of Kubernetes objects are DNS subdomains (apimachinery validation). */
const LONGEST_NAME = 253
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
/** The spoke prefixes the name of a ManifestWork with 64 characters and a dash; five of the uid and a dash follow the name (push-pull.md 1.10). */
const LONGEST_WORK = 188
const UID_SUFFIX = 6

interface Fault {
  readonly made: Named
  readonly text: string
  readonly broken: boolean
}

function faultOf(made: Named, pull: boolean): Fault | undefined {
  const { name } = made
  if (name.length > LONGEST_NAME)
    return { made, text: `has ${name.length} characters, more than ${LONGEST_NAME}`, broken: true }
  // A template expression in it is another fault, of another check.
  if (!name.includes('{{') && !DNS_SUBDOMAIN.test(name))
    return { made, text: 'is no valid name of a Kubernetes object', broken: true }
  if (pull && name.length + UID_SUFFIX > LONGEST_WORK)
    return {
      made,
      text: `gives a ManifestWork name of ${name.length + UID_SUFFIX} characters, more than ${LONGEST_WORK}`,
      broken: true,
    }
  return undefined
}

export const appsetNameTooLong: Check = {
  code: 'FLT0308',
  slug: 'appset-name-too-long',
  title: 'Names of generated Applications are valid and short enough for everything made from them',
  severity: 'error',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: APPSET_NEEDS,
  uses: appSets.inputs,
  docs: {
    why: 'The name of a ManagedCluster in a template may give a name that is longer than 253 characters or no DNS name; the ApplicationSet then fails at creation. A pull Application also becomes a ManifestWork whose name gets a prefix of 65 characters on the spoke, so that it must stay below 189.',
    remedy: 'Shorten the prefix in `spec.template.metadata.name`.',
    sources: ['push-pull 1.8, 1.10, 3'],
  },
  *run(fleet) {
    for (const link of fleet.join(appSets).all) {
      const { appSet } = link
      const pull = PULL_LABEL in appSet.template.labels || PULL_TARGET in appSet.template.annotations
      const faults = renderedFor(fleet, link).flatMap(made => faultOf(made, pull) ?? [])
      const first = faults[0]
      if (first === undefined) continue
      yield {
        subject: appSet.subject,
        message: `ApplicationSet "${appSet.meta.name}" names the Application of cluster "${first.made.cluster}" in a way that ${first.text}.`,
        evidence: [
          fact(appSet, '.spec.template.metadata.name', appSet.template.name),
          ...faults
            .slice(0, 5)
            .map(f => fact(appSet, '', `${f.made.cluster}: "${f.made.name.slice(0, 80)}" ${f.text}`)),
        ],
        effect: 'the Application, or the ManifestWork made from it, cannot be created',
        fix: 'shorten spec.template.metadata.name, or keep to lower-case letters, digits, dashes and dots',
        clusters: faults.map(f => f.made.cluster),
      }
    }
  },
}
