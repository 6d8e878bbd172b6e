import type { Finding } from '../../checks/check.ts'
import { appProject } from '../../plan/manifests/app-project.ts'
import { extendProject } from '../applications/extend-project.ts'
import { usesOf } from '../applications/project-uses.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

const ON_SPOKE =
  'the project is one of a cluster; it comes from the hub with its Applications, or from what set up Argo CD there'

function onSpoke({ subject: { cluster } }: Finding): string | undefined {
  return cluster === 'hub' ? undefined : ON_SPOKE
}

export const projectDeniesFix: Fix = {
  code: 'FLT0516',
  does: 'permit in the AppProject of the hub what its Applications use, or make it there',
  risk: 'whoever may write Applications of this project may deploy there, too',
  safe: false,
  kinds: ['AppProject'],
  hinders: onSpoke,
  repair(input) {
    const { finding, fleet, version } = input
    const { subject: of } = finding
    if (of.cluster !== 'hub') return ON_SPOKE
    if (of.missing !== true) return extendProject(input, of)
    const used = usesOf(fleet, of.namespace, of.name)
    if (used.repositories.length === 0) return 'nothing tells which repositories the project is for'
    const manifest = appProject(version, {
      namespace: of.namespace,
      name: of.name,
      description: 'What the Applications that name this project use.',
      sourceRepos: used.repositories,
      destinations: used.destinations,
    })
    return { steps: [write(manifest, 'an Application without its project is refused')] }
  },
}
