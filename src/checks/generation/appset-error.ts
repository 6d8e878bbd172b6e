import { inputsOf } from '../../fleet/fleet.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { clusterSecrets, registration, registrationKey } from '../../fleet/joins/registration.ts'
import { subject } from '../../fleet/subject.ts'
import type { Cause, Check } from '../check.ts'
import { generatorRights } from '../registration/goc-support.ts'
import { conditionFact, count, fact } from '../support.ts'
import { absentOf, NAME_FAULTS } from './appset-support.ts'

const PROJECT = /references project (\S+) which does not exist/
const NO_DECISIONS = 'no clusterDecisionResources found'

function fixFor(message: string, placementNames: readonly string[]): string {
  const project = PROJECT.exec(message)?.[1]
  if (project !== undefined) return `create AppProject ${project} on the hub, or correct spec.template.spec.project`
  if (message.includes(NO_DECISIONS))
    return `correct the labelSelector of the generator: no PlacementDecision carries placement=${placementNames.join(',')}`
  if (message.includes('configMapRef')) return 'bring back the ConfigMap that configMapRef names'
  return 'mend what the message names; the controller tries again every 3 minutes'
}

export const appsetError: Check = {
  code: 'FLT0302',
  slug: 'appset-error',
  title: 'No ApplicationSet reports an error',
  severity: 'error',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ApplicationSet'] },
  uses: inputsOf({ hub: ['AppProject'] }, appSets),
  docs: {
    why: 'With an error nothing new is generated and no template change arrives, while the Applications that exist are kept and stay Synced and Healthy. Condition `ErrorOccurred` with status False is success. A wrong resource kind in the ConfigMap looks like an RBAC fault.',
    remedy:
      'Read the message: a missing ConfigMap, a selector that names another Placement, a missing project, a destination that does not resolve, a name that another ApplicationSet owns.',
    sources: ['push-pull 1.8', 'argoproj/argo-cd:applicationset/generators/duck_type.go'],
  },
  *run(fleet) {
    for (const link of fleet.join(appSets).all) {
      const { appSet, argoNamespace } = link
      const error = condition(appSet, 'ErrorOccurred')
      if (error?.status !== 'True') continue
      const placementNames = link.generators.flatMap(g => g.placementNames)
      const project = PROJECT.exec(error.message)?.[1]
      const forbidden = error.message.includes('is forbidden')
      const because: Cause[] = []
      // A selector that no decision matches says so whatever the ConfigMap holds.
      const unmatched = error.message.includes(NO_DECISIONS) && link.generators.every(g => g.decisions.length === 0)
      for (const g of link.generators) {
        if (!unmatched) because.push({ subject: subject('hub', 'ConfigMap', argoNamespace, g.generator.configMapRef) })
        for (const name of g.placementNames) {
          because.push({ subject: subject('hub', 'Placement', argoNamespace, name), codes: ['FLT0201'] })
        }
      }
      if (forbidden) {
        for (const upstream of [false, true]) {
          const { role, binding } = generatorRights(argoNamespace, upstream)
          because.unshift(
            { subject: subject('hub', 'RoleBinding', argoNamespace, binding), codes: ['FLT0209'] },
            { subject: subject('hub', 'Role', argoNamespace, role), codes: ['FLT0209'] },
          )
        }
      }
      if (project !== undefined) because.push({ subject: subject('hub', 'AppProject', argoNamespace, project) })
      if (error.message.includes('clusters with')) {
        for (const g of link.generators) {
          for (const c of g.clusters) {
            for (const s of fleet.join(clusterSecrets).byName.get(registrationKey(argoNamespace, c)) ?? [])
              because.push({ subject: s.subject })
          }
        }
      }
      for (const r of fleet.join(registration).all) {
        if (!unmatched && r.argoNamespace === argoNamespace)
          because.push({ subject: r.goc.subject, codes: ['FLT0203', 'FLT0204'] })
      }
      because.push({ subject: appSet.subject, codes: NAME_FAULTS })
      // The project has come since: the controller will find it at its next attempt.
      const mended = project !== undefined && fleet.hub.of('AppProject').get(argoNamespace, project) !== undefined
      yield {
        subject: appSet.subject,
        ...(mended ? { severity: 'info' as const } : {}),
        message: `ApplicationSet "${appSet.meta.name}" cannot generate its Applications: ${error.message}`,
        evidence: [
          conditionFact(appSet, 'ErrorOccurred'),
          fact(appSet, '', `${count(link.owned.length, 'Application')} kept as they are`),
        ],
        effect: 'no Application is added, changed or removed; a change of the template reaches nobody',
        fix: fixFor(error.message, placementNames),
        because,
        absent: absentOf(fleet, link),
      }
    }
  },
}
