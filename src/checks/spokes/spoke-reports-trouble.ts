import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { type WorkLink, works } from '../../fleet/joins/works.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check, Severity } from '../check.ts'
import { hubApp, isCurrent, PULL_INPUTS, spokeApp } from '../delivery/pull-support.ts'
import { fact, lasting, MINUTE, olderThan } from '../support.ts'

/** A sync that is still running after this is being tried again and again, or waits for a hook. */
const RUNS_LONG = MINUTE
/** Values that have just changed may be on their way. */
const SETTLED = MINUTE

interface Trouble {
  readonly severity: Severity
  readonly text: string
  readonly fix: string
}

/** What the feedback values alone tell, where the Application itself could not be read (push-pull.md 1.11, 1.12). */
function troubleIn(fleet: Fleet, work: WorkLink, manual: boolean): Trouble | undefined {
  const {
    syncStatus,
    healthStatus,
    operationStatePhase: phase,
    operationStateStartedAt: started,
  } = work.status?.feedback ?? {}
  const since = work.status === undefined ? undefined : condition(work.status, 'StatusFeedbackSynced')?.since
  const look = `the reason stands on the spoke only: read it as well (live: --spoke ${work.cluster}; or a recording that holds it)`
  if (phase === 'Failed' || phase === 'Error')
    return { severity: 'error', text: `its last sync ended ${phase}`, fix: look }
  if (syncStatus === 'Unknown')
    return { severity: 'error', text: 'its source cannot be compared (sync Unknown)', fix: look }
  // Whoever syncs by hand may not have done so yet; that is told below.
  const pending = manual && phase !== undefined && healthStatus === 'Missing' && syncStatus === 'OutOfSync'
  if (healthStatus === 'Degraded' || (healthStatus === 'Missing' && !pending)) {
    return {
      severity: 'error',
      text: `its workload is ${healthStatus}${syncStatus === 'OutOfSync' ? ' and OutOfSync' : ''}`,
      fix: look,
    }
  }
  const startedAt = started === undefined ? undefined : Date.parse(started)
  if (phase === 'Running' && olderThan(fleet.now, startedAt, RUNS_LONG)) {
    return {
      severity: 'error',
      text: `a sync has been running for ${lasting(fleet.now, startedAt)}: it is tried again, or waits for a hook`,
      fix: look,
    }
  }
  if (!olderThan(fleet.now, since, SETTLED)) return undefined
  if (syncStatus === 'OutOfSync' && phase !== 'Running')
    return { severity: 'warning', text: 'it stays OutOfSync', fix: look }
  if (healthStatus === 'Unknown')
    return { severity: 'warning', text: 'nobody knows whether its workload is well (health Unknown)', fix: look }
  if (healthStatus === 'Progressing')
    return { severity: 'warning', text: 'its workload does not become available', fix: look }
  return undefined
}

export const spokeReportsTrouble: Check = {
  code: 'FLT0523',
  slug: 'spoke-reports-trouble',
  title: 'Spokes that were not read report nothing bad of their Applications',
  severity: 'error',
  category: 'spokes',
  models: ['pull'],
  needs: { hub: ['Application', 'ManifestWork'] },
  uses: inputsOf(PULL_INPUTS, { spoke: ['Application'] }),
  docs: {
    why: 'Where only the hub can be read, the feedback of the ManifestWork is all that is known of an Application on a spoke: sync, health and phase, without a reason. Neither report nor hub Application carry more; error texts come from search alone.',
    remedy:
      'Read the spoke (its recording, or a context for it), where the reason stands in the conditions and in the operation of the Application.',
    sources: ['push-pull 1.11, 1.12, 1.13'],
  },
  *run(fleet) {
    for (const work of fleet.join(works).all) {
      const at = spokeApp(work)
      if (at === undefined || work.work.meta.deleting !== undefined) continue
      const view = fleet.spokes.get(work.cluster)
      if (view?.of('Application').get(at.namespace, at.name) !== undefined || view?.knows('Application')) continue
      const link = hubApp(fleet, work)
      if (link !== undefined && !isCurrent(link, work)) continue
      const trouble = troubleIn(fleet, work, link !== undefined && !link.app.syncPolicy.automated)
      if (trouble === undefined) continue
      yield {
        subject: at,
        severity: trouble.severity,
        breaks: true,
        message: `Application "${at.name}" on cluster "${work.cluster}" is not well: ${trouble.text}.`,
        evidence: Object.entries(work.status?.feedback ?? {}).map(([name, value]) =>
          fact(work.work, `feedback ${name}`, value),
        ),
        effect: 'the cluster does not have, or does not run, what the hub says',
        fix: trouble.fix,
        because: [
          { subject: subject('hub', 'ManagedCluster', '', work.cluster) },
          { subject: work.work.subject, codes: ['FLT0602', 'FLT0604', 'FLT0605'] },
          ...(link?.appSet === undefined ? [] : [{ subject: link.appSet.appSet.subject, codes: ['FLT0304'] }]),
        ],
        through: link === undefined ? [work.work.subject] : [link.app.subject],
      }
    }
  },
}
