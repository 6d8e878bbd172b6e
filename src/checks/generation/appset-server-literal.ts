import { IN_CLUSTER_SERVER } from '../../fleet/joins/applications.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { PULL_LABEL } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const appsetServerLiteral: Check = {
  code: 'FLT0313',
  slug: 'appset-server-literal',
  title: 'No template names the server of a cluster literally',
  severity: 'warning',
  category: 'generation',
  models: ['push', 'agent'],
  needs: { hub: ['ApplicationSet', 'Application'] },
  uses: appSets.inputs,
  docs: {
    why: 'The `server` of a cluster secret is not for ever: ACM 2.16 changes it from the API URL to that of the cluster proxy. An Application with the old URL in its destination keeps the old secret alive and then finds two clusters of one name, or none. A literal server in a template also sends every Application of the ApplicationSet to one cluster.',
    remedy: "Use `destination.name: '{{name}}'`; the server that belongs to it is looked up each time.",
    sources: ['push-pull 1.9, 4.2'],
  },
  *run(fleet) {
    for (const { appSet, generators } of fleet.join(appSets).all) {
      const { server } = appSet.template.destination
      if (generators.length === 0 || server === '' || server.includes('{{') || appSet.hasTemplatePatch) continue
      if (server === IN_CLUSTER_SERVER || PULL_LABEL in appSet.template.labels) continue
      yield {
        subject: appSet.subject,
        message: `The template of ApplicationSet "${appSet.meta.name}" names the server "${server}" literally, although its generator yields clusters.`,
        evidence: [
          fact(appSet, '.spec.template.spec.destination.server', server),
          fact(appSet, '', `Placements: ${names(generators.flatMap(g => g.placementNames))}`),
        ],
        effect: 'all Applications go to one cluster, and an upgrade that changes its URL cuts them off',
        fix: `set spec.template.spec.destination.name: '${appSet.goTemplate ? '{{.name}}' : '{{name}}'}' and remove server`,
        breaks: false,
      }
    }
  },
}
