import type { Fleet } from '../../fleet/fleet.ts'
import { type Principal, principals } from '../../fleet/joins/agents.ts'
import { type AppLink, applications, SOURCE_UID } from '../../fleet/joins/applications.ts'
import { type AppSetLink, renderFor } from '../../fleet/joins/appsets.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { groupBy } from '../../fleet/maps.ts'
import { render } from '../../fleet/render.ts'
import type { Check, Evidence, Finding } from '../check.ts'
import { fact, names, SECOND } from '../support.ts'
import { AGENT_INPUTS, managedAgentApps, notAgentHub } from './agent-support.ts'

/** Under these policies the controller does not change what it has created. */
const CREATE_ONLY = new Set(['create-only', 'create-delete'])
/** The spoke tells when it compared, the hub when it wrote that down; both are whole seconds, and the clocks differ a little. */
const SLACK = 5 * SECOND

/** Where a template would send an Application of an agent; undefined where it stays, or where that cannot be worked out. */
function elsewhere(fleet: Fleet, appSet: AppSetLink, { app, cluster }: AppLink): string | undefined {
  const { template, goTemplate } = appSet.appSet
  const made = renderFor(fleet, appSet, cluster)
  const isHis = made?.name === app.meta.name && made.namespace === app.meta.namespace
  const resolve = (text: string): string | undefined =>
    text.includes('{{') ? (isHis ? render(text, made.params, goTemplate) : undefined) : text
  const name = resolve(template.destination.name)
  if (name === undefined || name === app.destination.name) return undefined
  if (name !== '') return `destination.name ${name}`
  return `destination.server ${resolve(template.destination.server) ?? template.destination.server} without a name`
}

/** Does the controller write this template into what it has made? */
function writes({ appSet }: AppSetLink): boolean {
  return (
    appSet.meta.deleting === undefined &&
    !appSet.hasTemplatePatch &&
    !appSet.ignoresDifferences &&
    !CREATE_ONLY.has(appSet.applicationsSync) &&
    condition(appSet, 'ErrorOccurred')?.status !== 'True'
  )
}

/** Where the controller is about to send an Application of an agent; undefined where it stays, as far as can be told. */
export function takenByTemplate(fleet: Fleet, link: AppLink): string | undefined {
  const { appSet } = link
  return appSet === undefined || !writes(appSet) ? undefined : elsewhere(fleet, appSet, link)
}

/** The project that the controller is about to give an Application; its own where that is all that can be told. */
export function projectByTemplate({ app, appSet }: AppLink): string {
  const said = appSet === undefined || !writes(appSet) ? '' : appSet.appSet.template.project
  return said === '' || said.includes('{{') ? app.project : said
}

/** Templates that are about to take Applications away from agents. */
function* endangered(fleet: Fleet, namespace: string): Generator<Finding> {
  const routed = managedAgentApps(fleet).filter(
    l => l.argoNamespace === namespace && l.app.destination.name !== '' && l.app.meta.deleting === undefined,
  )
  for (const links of groupBy(routed, l => l.appSet?.appSet.meta.uid ?? '').values()) {
    const appSet = links[0]?.appSet
    if (appSet === undefined || !writes(appSet)) continue
    const going = links.flatMap(link => {
      const to = elsewhere(fleet, appSet, link)
      return to === undefined ? [] : [{ link, to }]
    })
    if (going.length === 0) continue
    const { subject, meta, template } = appSet.appSet
    yield {
      subject,
      message: `The template of ApplicationSet "${meta.name}" takes ${names(going.map(g => `Application "${g.link.app.meta.name}"`))} from ${going.length === 1 ? 'its agent' : 'their agents'}: it says ${going[0]?.to ?? ''}.`,
      evidence: [
        fact(
          appSet.appSet,
          '.spec.template.spec.destination',
          `name=${template.destination.name || '-'} server=${template.destination.server || '-'}`,
        ),
        ...going.slice(0, 5).map(g => fact(g.link.app, '.spec.destination.name', g.link.app.destination.name)),
      ],
      effect:
        'when the controller writes it, which takes seconds, the principal has the agents delete these Applications with their workloads; the hub goes on saying Synced and Healthy',
      fix: "set destination.name in the template back to what the Applications have ('{{name}}'), or set spec.syncPolicy.applicationsSync: create-only before anything else",
      clusters: [...new Set(going.map(g => g.link.cluster))],
      through: going.map(g => g.link.app.subject),
    }
  }
}

/** Was an agent the last to write the status of an Application that no agent has any more? */
function wasTaken({ app, model }: AppLink): boolean {
  if (model === 'agent' || model === 'pull' || app.meta.deleting !== undefined) return false
  if (SOURCE_UID in app.meta.annotations || app.agentWroteAt === undefined) return false
  // It still names a cluster: that this one has no secret is another fault.
  if (model === 'unknown' && app.destination.name !== '') return false
  return app.reconciledAt === undefined || app.agentWroteAt + SLACK >= app.reconciledAt
}

function* taken(fleet: Fleet, { argo }: Principal): Generator<Finding> {
  const { namespace } = argo.meta
  const lost = fleet.join(applications).all.filter(l => l.argoNamespace === namespace && wasTaken(l))
  for (const link of lost) {
    const { app } = link
    const { name, server } = app.destination
    const evidence: Evidence[] = [
      fact(app, '.spec.destination', `name=${name || '-'} server=${server || '-'}`),
      fact(app, '.metadata.managedFields[argocd-agent]', new Date(app.agentWroteAt ?? 0).toISOString()),
      fact(app, '.status', `still ${app.sync || 'empty'}/${app.health || 'empty'}`),
    ]
    yield {
      subject: app.subject,
      message: `Application "${app.meta.name}" was carried out by an agent, and its destination names none any more.`,
      evidence,
      effect: 'the agent has deleted its copy with the workload; the status on the hub is the last one of before',
      fix: 'set destination.name to the cluster of the agent again, in the template where there is one; its copy and workload come back within seconds',
      models: ['agent', 'push', 'local'],
    }
  }
}

export const agentRoutingLost: Check = {
  code: 'FLT0846',
  slug: 'agent-routing-lost',
  title: 'No Application is taken from its agent',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application', 'ApplicationSet'] },
  uses: AGENT_INPUTS,
  whole: { hub: ['Secret'] },
  perObject: ['Secret'],
  docs: {
    why: 'With destination-based mapping `destination.name` is all that ties an Application to its agent. When it is replaced by `destination.server`, emptied, or set to another cluster, the principal has the agent delete its copy, and with the finalizer the workload, within two seconds. The hub shows the last Synced and Healthy. A changed template of an ApplicationSet does this to all of its Applications at once.',
    remedy:
      "Put `destination.name: '{{name}}'` back into the template. To move Applications away from agents on purpose, take off the finalizer first, or set `preserveResourcesOnDeletion`.",
    sources: ['agent-mode 2.6, 4.1 (H2), 5 (34)', 'seen on running controllers: 2.6, 4.1'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      if (!principal.settings.destinationBasedMapping) continue
      yield* endangered(fleet, principal.argo.meta.namespace)
      yield* taken(fleet, principal)
    }
  },
}
