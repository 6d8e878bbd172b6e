import { works } from '../../fleet/joins/works.ts'
import type { Application, Source } from '../../fleet/records.ts'
import type { Check, Evidence } from '../check.ts'
import { fact } from '../support.ts'
import { hubApp, isCurrent, PULL_INPUTS, propagationCauses } from './pull-support.ts'

function sourceText(sources: readonly Source[]): string {
  return sources.map(s => `${s.repoURL} ${s.path || s.chart}@${s.targetRevision}`).join(', ')
}

function differences(
  hub: Application,
  payload: Application,
): readonly (readonly [path: string, hub: string, payload: string])[] {
  const list: (readonly [string, string, string])[] = [
    ['.spec.source', sourceText(hub.sources), sourceText(payload.sources)],
    ['.spec.project', hub.project, payload.project],
    ['.spec.syncPolicy', JSON.stringify(hub.syncPolicy), JSON.stringify(payload.syncPolicy)],
  ]
  return list.filter(([, a, b]) => a !== b)
}

export const workOutdated: Check = {
  code: 'FLT0602',
  slug: 'work-outdated',
  title: 'ManifestWorks carry what their hub Applications say',
  severity: 'error',
  category: 'delivery',
  models: ['pull'],
  needs: { hub: ['Application', 'ManifestWork'] },
  uses: PULL_INPUTS,
  docs: {
    why: 'A change of a pull Application reaches its ManifestWork within a second. When it does not, the propagation controller is down or refuses (project missing on the hub), and the spoke goes on with the old content, Synced and Healthy.',
    remedy: 'Start the pull controllers; they rewrite all ManifestWorks when they come up.',
    sources: ['push-pull 1.10', 'seen on running controllers: propagation'],
  },
  *run(fleet) {
    for (const work of fleet.join(works).all) {
      const link = hubApp(fleet, work)
      const { payload } = work
      if (link === undefined || payload === undefined || !isCurrent(link, work)) continue
      if (link.app.meta.deleting !== undefined || work.work.meta.deleting !== undefined) continue
      if (link.app.specHash === payload.specHash) continue
      const found = differences(link.app, payload)
      const evidence: Evidence[] = found.flatMap(([path, hub, old]) => [
        fact(link.app, path, hub),
        fact(work.work, `payload ${path}`, old),
      ])
      yield {
        subject: work.work.subject,
        message: `ManifestWork "${work.work.meta.name}" in namespace "${work.cluster}" does not carry what Application "${link.app.meta.name}" says${found.length > 0 ? ` (${found.map(([p]) => p).join(', ')})` : ''}.`,
        evidence: evidence.length > 0 ? evidence : [fact(work.work, '', 'the specs differ')],
        effect: `cluster ${work.cluster} keeps the old content, and all statuses look healthy`,
        fix: 'start the propagation controller (it rewrites the ManifestWork at its start)',
        because: propagationCauses(fleet, link),
      }
    }
  },
}
