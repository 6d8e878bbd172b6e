import type { Blueprint } from '../../bootstrap/blueprint.ts'
import { homePart } from '../../bootstrap/parts/namespace.ts'
import { argoCdOf, principalPart } from '../../bootstrap/parts/principal.ts'
import { subject } from '../../fleet/subject.ts'
import type { Wait, Want } from '../../plan/make-steps.ts'
import { appProject } from '../../plan/manifests/app-project.ts'
import { argoCdPrincipal } from '../../plan/manifests/argocd.ts'
import { isObject } from '../../raw.ts'
import { principalName, redisProxyName } from '../hub.ts'

const SECTION = 'Principal'

/** What the operator makes of the ArgoCD resource (agent-mode.md 2.4). The principal itself runs only after the registration. */
function operatorWaits(blueprint: Blueprint, argo: string, controllerStays: boolean): readonly Wait[] {
  const { argoNamespace: namespace, hub } = blueprint
  const principal = principalName(argo)
  const deployment = (name: string) => subject('hub', 'Deployment', namespace, name)
  const controller = subject('hub', 'StatefulSet', namespace, `${argo}-application-controller`)
  const mentions = redisProxyName(argo)
  const wait = (signal: Wait['signal'], why: string): Wait => ({
    type: 'wait',
    section: SECTION,
    signal,
    why,
    limitSeconds: 300,
  })
  return [
    controllerStays
      ? wait({ signal: 'rolled-out', subject: controller, mentions }, 'the controller goes on behind the new Redis')
      : wait({ signal: 'gone', subject: controller }, 'a controller that still runs would work on agents, too'),
    wait({ signal: 'exists', subject: deployment(principal) }, 'the operator has taken the resource'),
    ...['server', 'repo-server'].map(part =>
      wait(
        { signal: 'rolled-out', subject: deployment(`${argo}-${part}`), mentions },
        'its Redis goes through the principal',
      ),
    ),
    ...(hub.serves('Route')
      ? [
          wait(
            { signal: 'routed', subject: subject('hub', 'Route', namespace, principal) },
            'ACM takes the address of the agents from it, once, and the certificate is made for it',
          ),
        ]
      : []),
  ]
}

/** The Argo CD that is there becomes the principal. */
export function sharedPrincipal(
  blueprint: Blueprint,
  clusters: readonly string[],
  controllerStays: boolean,
): readonly (Want | Wait)[] {
  const wants = principalPart(blueprint, clusters)
  const argo = wants.findLast(want => want.manifest.kind === 'ArgoCD')?.manifest.metadata.name
  if (argo === undefined) return wants
  const existing = argoCdOf(blueprint)
  // A hub that is a principal already has nothing to wait for, and may have a shape of its own.
  const isThere = existing?.principal?.enabled === true && existing.controllerEnabled === controllerStays
  return isThere ? wants : [...wants, ...operatorWaits(blueprint, argo, controllerStays)]
}

/** Name of a second instance. Its objects are found by label and not by name (agent-mode.md 3.3). */
export const DEDICATED_ARGO = 'agent-hub'

/** A second Argo CD in a namespace of its own, as the operator was seen to make it (agent-mode.md 3.3). */
export function dedicatedPrincipal(blueprint: Blueprint): readonly (Want | Wait)[] {
  const { argoNamespace: namespace, hub } = blueprint
  const base = argoCdPrincipal(hub.version, {
    namespace,
    name: DEDICATED_ARGO,
    controllerEnabled: false,
    applicationNamespaces: [namespace],
  })
  const spec = isObject(base.spec) ? base.spec : {}
  return [
    ...homePart(blueprint, SECTION, namespace, 'home of the second Argo CD'),
    {
      type: 'object',
      section: SECTION,
      // Without applicationSet the instance has no ApplicationSet controller.
      manifest: { ...base, spec: { applicationSet: {}, ...spec } },
      why: 'a second Argo CD, which is principal and nothing else; the first one is not touched',
      risk: { level: 'low', text: 'the operator makes a whole Argo CD in this namespace' },
    },
    {
      type: 'object',
      section: SECTION,
      manifest: appProject(hub.version, {
        namespace,
        name: 'default',
        description: 'Applications of agents',
        sourceRepos: ['*'],
        destinations: [{ name: '*', server: '*', namespace: '*' }],
        sourceNamespaces: ['*'],
      }),
      why: 'the principal hands a project only to agents that its destinations match',
    },
    ...operatorWaits(blueprint, DEDICATED_ARGO, false),
  ]
}
