import { inputsOf } from '../../fleet/fleet.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import { missing, subject } from '../../fleet/subject.ts'
import { shortMessage } from '../argo/messages.ts'
import { type Problem, problems } from '../argo/problems.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { appsOf, appText, PROBLEM_NEEDS, PROBLEM_USES } from './problem-support.ts'

/** `SERVER,NAMESPACE`, as the Argo CD command line takes a destination of a project. */
function destinationOf(problem: Problem | undefined): string {
  const { server = '', name = '', namespace = '' } = problem?.of.app.destination ?? {}
  return `${server || name || 'SERVER'},${namespace || "'*'"}`
}

function sourceOf(problem: Problem | undefined): string {
  return problem?.of.app.sources[0]?.repoURL || 'REPOSITORY'
}

export const projectDenies: Check = {
  code: 'FLT0516',
  slug: 'project-denies',
  title: 'The AppProject of every Application is there and permits it',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: inputsOf(PROBLEM_USES, { spoke: ['AppProject'] }),
  docs: {
    why: 'Argo CD refuses an Application whose project does not permit its destination or source, or does not exist where it is reconciled. Sync and health turn Unknown while the last operation still says Succeeded; the ApplicationSet is green, since it only checks that the project exists. In agent mode a project that stops matching is withdrawn from the agents at once.',
    remedy: 'Extend the destinations or sources of the project, or create it where the Application is reconciled.',
    sources: ['push-pull 1.9, 1.12', 'agent-mode 5 (39, 40)'],
  },
  *run(fleet) {
    const groups = new Map<
      string,
      { list: Problem[]; absent: boolean; at: string; namespace: string; project: string }
    >()
    for (const p of fleet.join(problems).all) {
      if (p.kind !== 'project-denies' && p.kind !== 'project-missing') continue
      const { app, at, hub, copied } = p.of
      const place = copied ? p.of.target : at
      const namespace =
        place === 'hub' ? (hub?.argoNamespace ?? app.meta.namespace) : app.controllerNamespace || app.meta.namespace
      const view = place === 'hub' ? fleet.hub : fleet.spokes.get(place)
      const exists = view?.of('AppProject').get(namespace, app.project) !== undefined
      const absent = p.kind === 'project-missing' && !exists
      getOrAdd(groups, `${place}|${namespace}/${app.project}`, () => ({
        list: [],
        absent,
        at: place,
        namespace,
        project: app.project,
      })).list.push(p)
    }
    for (const { list, absent, at, namespace, project } of groups.values()) {
      const s = subject(at, 'AppProject', namespace, project)
      const first = list[0]
      const hub = first?.of.hub
      yield {
        subject: absent ? missing(s) : s,
        message: absent
          ? `AppProject "${project}" does not exist in namespace "${namespace}"${at === 'hub' ? '' : ` of cluster "${at}"`}, but ${names(list.map(appText), 3)} ${list.length === 1 ? 'uses' : 'use'} it.`
          : `AppProject "${project}" in namespace "${namespace}" does not permit ${names(list.map(appText), 3)}: ${shortMessage(first?.text ?? '')}.`,
        evidence: list
          .slice(0, 5)
          .flatMap(p => p.evidence)
          .concat(
            list
              .slice(0, 1)
              .map(p => fact(p.of.app, '.spec.destination', p.of.app.destination.server || p.of.app.destination.name)),
          ),
        effect: 'sync and health are Unknown; nothing is changed any more',
        fix: absent
          ? `create AppProject ${project}${at === 'hub' ? '' : ` on ${at}`}: argocd proj create ${project} --src ${sourceOf(first)} --dest ${destinationOf(first)}`
          : `oc -n ${namespace} edit appproject ${project}${at === 'hub' ? '' : ` (on ${at})`}: add to spec.destinations or spec.sourceRepos what the message names, or: argocd proj add-destination ${project} ${destinationOf(first).replace(',', ' ')}`,
        because:
          hub === undefined || at === 'hub'
            ? []
            : [{ subject: subject('hub', 'AppProject', hub.argoNamespace, project) }],
        through: appsOf(list),
        clusters: [...new Set(list.map(p => p.of.target))],
      }
    }
  },
}
