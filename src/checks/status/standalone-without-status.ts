import { inputsOf } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { works } from '../../fleet/joins/works.ts'
import type { Check } from '../check.ts'
import { PULL_INPUTS } from '../delivery/pull-support.ts'
import { fact } from '../support.ts'

export const standaloneWithoutStatus: Check = {
  code: 'FLT0709',
  slug: 'standalone-without-status',
  title: 'Every delivered pull Application gets its status on the hub',
  severity: 'info',
  category: 'status',
  models: ['pull'],
  needs: { hub: ['Application', 'ManifestWork'] },
  uses: inputsOf(PULL_INPUTS, flavour),
  docs: {
    why: 'ACM reports only on Applications of an ApplicationSet. A pull Application that was made by hand is delivered as well, but its status on the hub stays empty for ever, healthy or not. Upstream OCM fills it.',
    remedy: 'Read the feedback of its ManifestWork (`fleetctl trace app`), or make it by an ApplicationSet.',
    sources: ['push-pull 1.13, 5 (21)', 'seen on running controllers: 1.13'],
  },
  *run(fleet) {
    if (fleet.join(flavour) !== 'acm') return
    const { byApp } = fleet.join(works)
    for (const { app, pullComplete, owner } of fleet.join(applications).all) {
      if (!pullComplete || owner !== undefined || app.sync !== '' || app.meta.deleting !== undefined) continue
      const work = byApp.get(`${app.meta.namespace}/${app.meta.name}`)?.[0]
      if (work?.status?.feedback.healthStatus === undefined) continue
      const { feedback } = work.status
      yield {
        subject: app.subject,
        message: `Pull Application "${app.meta.name}" is delivered but belongs to no ApplicationSet, so its status on the hub stays empty.`,
        evidence: [
          fact(app, '.status', 'empty'),
          fact(work.work, 'feedback', `${feedback.syncStatus ?? ''}/${feedback.healthStatus ?? ''}`),
        ],
        effect: 'the hub cannot say how it is; the ManifestWork can',
        fix: 'read the feedback of its ManifestWork, or generate it by an ApplicationSet',
        because: [{ subject: app.subject }, { subject: work.work.subject }],
        breaks: false,
      }
    }
  },
}
