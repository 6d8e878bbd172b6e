import { appProject } from '../../plan/manifests/app-project.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { usesOf } from './project-uses.ts'

export const projectMissingFix: Fix = {
  code: 'FLT0403',
  does: 'make the AppProject with what its Applications use and no more',
  risk: 'these Applications are generated, propagated and synced; the project also allows cluster-scoped kinds',
  safe: false,
  kinds: ['AppProject'],
  repair(input) {
    const { finding, fleet, version } = input
    const { namespace, name } = finding.subject
    const used = usesOf(fleet, namespace, name)
    if (used.repositories.length === 0) return 'nothing tells which repositories the project is for'
    const manifest = appProject(version, {
      namespace,
      name,
      description: 'What the Applications that name this project use.',
      sourceRepos: used.repositories,
      destinations: used.destinations,
      ...(used.sourceNamespaces.length === 0 ? {} : { sourceNamespaces: used.sourceNamespaces }),
    })
    return { steps: [write(manifest, 'an Application without its project is refused')] }
  },
}
