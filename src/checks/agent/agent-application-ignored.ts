import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { type Principal, principals } from '../../fleet/joins/agents.ts'
import type { AppLink } from '../../fleet/joins/applications.ts'
import { groupBy } from '../../fleet/maps.ts'
import { matchesRequirement } from '../../fleet/placement/selector.ts'
import { parseSelector } from '../../fleet/placement/selector-syntax.ts'
import type { StringMap, Workload } from '../../fleet/records.ts'
import type { Check, Evidence } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, agentDeployments, managedAgentApps, notAgentHub, principalDeployment } from './agent-support.ts'

/** Label of an Application that the principal leaves alone (agent-mode.md 4.1, H1). */
const IGNORE = 'argocd-agent.argoproj-labs.io/ignore-sync'
const PRINCIPAL_SELECTOR = 'ARGOCD_PRINCIPAL_LABEL_SELECTOR'
const AGENT_SELECTOR = 'ARGOCD_AGENT_LABEL_SELECTOR'

/** Does a label selector, as the components read it from their environment, take these labels? One that cannot be read takes all. */
function takes(selector: string, labels: StringMap): boolean {
  if (selector === '') return true
  try {
    return parseSelector(selector, 'label selector').every(r =>
      matchesRequirement(labels, { ...r, values: r.values ?? [] }),
    )
  } catch {
    return true
  }
}

interface Ignored {
  readonly link: AppLink
  readonly why: string
  readonly evidence: Evidence
}

/** Why an Application is left alone on its way; undefined where it is not. */
function ignored(fleet: Fleet, { argo }: Principal, hub: Workload | undefined, link: AppLink): Ignored | undefined {
  const { app, cluster } = link
  if (app.meta.labels[IGNORE] === 'true')
    return { link, why: `it has label ${IGNORE}`, evidence: fact(app, `.metadata.labels[${IGNORE}]`, 'true') }
  const view = fleet.spokes.get(cluster)
  const agent = view === undefined ? undefined : agentDeployments(view)[0]
  const project = fleet.hub.of('AppProject').get(argo.meta.namespace, app.project)
  for (const [side, name, of] of [
    ['principal', PRINCIPAL_SELECTOR, hub],
    [`agent of ${cluster}`, AGENT_SELECTOR, agent],
  ] as const) {
    const selector = of?.env[name] ?? ''
    if (of === undefined || selector === '') continue
    const evidence = fact(of, `env ${name}`, selector)
    if (!takes(selector, app.meta.labels))
      return { link, why: `the ${side} takes only those with labels ${selector}`, evidence }
    if (project !== undefined && !takes(selector, project.meta.labels))
      return {
        link,
        why: `the ${side} takes only what has labels ${selector}, and AppProject ${app.project} has not`,
        evidence,
      }
  }
  return undefined
}

export const agentApplicationIgnored: Check = {
  code: 'FLT0847',
  slug: 'agent-application-ignored',
  title: 'Principal and agents take every Application that is meant for an agent',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application'] },
  uses: inputsOf(AGENT_INPUTS, { hub: ['Deployment', 'AppProject'], spoke: ['Deployment'] }),
  docs: {
    why: 'The principal leaves Applications alone that carry the label `argocd-agent.argoproj-labs.io/ignore-sync: "true"`, and with a label selector all that it does not match; so does an agent with a selector of its own. Nothing says so. With a selector the AppProject needs the label too: without it the Application comes to a spoke that has no such project.',
    remedy: 'Take the label off, or give Application, AppProject and repository Secrets the labels of the selector.',
    sources: ['agent-mode 1.2, 3.2, 4.1 (H1), 8 (A15)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const deployment = principalDeployment(fleet, principal)
      const mine = managedAgentApps(fleet).filter(
        l => l.argoNamespace === principal.argo.meta.namespace && l.app.meta.deleting === undefined,
      )
      const found = mine.flatMap(link => ignored(fleet, principal, deployment, link) ?? [])
      for (const list of groupBy(
        found,
        f => `${f.why}|${f.link.appSet?.appSet.meta.uid ?? f.link.app.meta.uid}`,
      ).values()) {
        const first = list[0]
        if (first === undefined) continue
        const is = list.length === 1 ? 'is' : 'are'
        yield {
          subject: first.link.appSet?.appSet.subject ?? first.link.app.subject,
          message: `${names(list.map(f => `Application "${f.link.app.meta.name}"`))} ${is} left alone by argocd-agent: ${first.why}.`,
          evidence: list.slice(0, 5).map(f => f.evidence),
          effect: 'no change of it is carried out, and its status on the hub, if any, is old',
          fix: 'take the label off, or add the labels of the selector to Application and AppProject',
          clusters: [...new Set(list.map(f => f.link.cluster))],
          through: list.map(f => f.link.app.subject),
        }
      }
    }
  },
}
