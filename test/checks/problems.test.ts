import { describe, expect, test } from 'vitest'
import { messageKind, missingNamespace, parseForbidden, waitedHook } from '../../src/checks/argo/messages.ts'
import { problems } from '../../src/checks/argo/problems.ts'
import { recordedTyped } from '../support/fleets.ts'
import { type Patch, patched } from '../support/patch.ts'

/** What the Applications of a fleet suffer from, as expected.yaml tells it: `kind Application @ place`. */
const SUFFER: Readonly<Record<string, readonly string[]>> = {
  'agent-appproject-no-match': ['project-missing branding-bottom-bm @ bm', 'project-missing branding-bottom-sno @ sno'],
  'agent-spoke-controller-forbidden': ['forbidden branding-bottom-bm @ bm'],
  'appproject-denies-destination': ['project-denies baseline-sno @ hub'],
  'msa-deleted-drift': ['unauthorized baseline-sno @ hub'],
  'msa-narrow-rbac-forbidden': ['forbidden baseline-bm @ hub'],
  'pull-deployment-never-available': ['progressing tills-bm @ bm', 'progressing tills-sno @ sno'],
  'pull-destination-namespace-missing': ['namespace-missing kiosk-bm @ bm', 'namespace-missing kiosk-sno @ sno'],
  'pull-git-path-missing': ['path-missing ledger-sno @ sno'],
  'pull-healthy': [],
  'pull-manual-sync-not-started': ['not-started signage-bm @ bm', 'not-started signage-sno @ sno'],
  'pull-presync-hook-hangs': ['hook-waits bm-orders @ bm'],
  'pull-rbac-forbidden-gave-up': ['forbidden branding-bm @ bm'],
  'pull-repo-credentials-missing': ['repository-auth vault-bm @ bm', 'repository-auth vault-sno @ sno'],
  'pull-selfheal-fight': ['fights branding-bm @ bm'],
  'push-healthy': [],
  // The text stands only at a single resource of the sync result.
  'spoke-rbac-removed': ['forbidden baseline-sno @ hub'],
  'two-independent-faults': ['path-missing baseline-bm @ hub', 'path-missing baseline-sno @ hub'],
}

test.each(Object.entries(SUFFER))('reads what the Applications of %s suffer from', async (name, expected) => {
  const { all } = (await recordedTyped(name)).join(problems)
  expect(all.map(p => `${p.kind} ${p.of.app.meta.name} @ ${p.of.at}`).sort()).toEqual(expected)
})

test('a fault of the template is shared by all Applications of an ApplicationSet, one of a cluster is not', async () => {
  const shared = async (name: string) =>
    (await recordedTyped(name)).join(problems).shared.map(s => `${s.kind} ${s.appSet.appSet.meta.name}`)
  expect(await shared('two-independent-faults')).toEqual(['path-missing node-baseline'])
  // The path is missing for one cluster only.
  expect(await shared('pull-git-path-missing')).toEqual([])
  expect(await shared('spoke-rbac-removed')).toEqual([])
})

describe('rights that were given after the message', () => {
  const grant = (patch: Patch) =>
    patch.add('bm', 'ClusterRoleBinding', {
      metadata: { name: 'given-later', creationTimestamp: '2026-11-30T16:24:30Z' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [
        {
          kind: 'ServiceAccount',
          name: 'openshift-gitops-argocd-application-controller',
          namespace: 'openshift-gitops',
        },
      ],
    })

  test('leave that nobody tries again, when the retries are used up', async () => {
    const { fleet } = await (await patched('pull-rbac-forbidden-gave-up', grant)).load()
    expect(fleet.join(problems).all.map(p => p.kind)).toEqual(['gave-up'])
  })

  test('leave nothing to mend, while Argo CD still tries', async () => {
    const { fleet } = await (await patched('pull-rbac-forbidden-retrying', grant)).load()
    expect(fleet.join(problems).all).toEqual([])
  })
})

describe('messages', () => {
  const FORBIDDEN =
    'one or more objects failed to apply, reason: configmaps is forbidden: User "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller" cannot create resource "configmaps" in API group "" in the namespace "default" (retried 5 times).'

  test('who may not do what', () => {
    expect(parseForbidden(FORBIDDEN)).toEqual({
      account: { namespace: 'openshift-gitops', name: 'openshift-gitops-argocd-application-controller' },
      verb: 'create',
      resource: 'configmaps',
      group: '',
      namespace: 'default',
    })
  })

  test('a terminating namespace is no matter of rights', () => {
    const text =
      'configmaps "x" is forbidden: unable to create new content in namespace shop because it is being terminated'
    expect(messageKind(text)).toBe('terminating')
    expect(parseForbidden(text)).toBeUndefined()
  })

  test('what is missing or waited for', () => {
    expect(missingNamespace('reason: namespaces "kiosk-system" not found (retried 1 times).')).toBe('kiosk-system')
    expect(waitedHook('waiting for completion of hook batch/Job/schema-migrate')).toEqual({
      group: 'batch',
      kind: 'Job',
      name: 'schema-migrate',
    })
    expect(messageKind('nothing that is known')).toBe('other')
  })
})
