import { describe, expect, test } from 'vitest'
import { applications, parsesTrue, skipsReconcile } from '../../../src/fleet/joins/applications.ts'
import { recordedTyped } from '../../support/fleets.ts'
import { patched } from '../../support/patch.ts'

const PULL = 'apps.open-cluster-management.io/pull-to-ocm-managed-cluster'

/** Model, cluster and secret names of every hub Application. */
async function models(fleet: string) {
  const { all } = (await recordedTyped(fleet)).join(applications)
  return Object.fromEntries(
    all.map(l => [
      `${l.app.meta.namespace}/${l.app.meta.name}`,
      [l.model, l.cluster, ...l.secrets.map(s => s.meta.name)].join(' '),
    ]),
  )
}

/** One model for each Application, in the order of push-pull.md 1.9; the values stand in the recordings. */
describe('delivery models', () => {
  test('pull by label and annotation, push through the cluster proxy', async () => {
    expect(await models('mixed-healthy')).toEqual({
      'openshift-gitops/branding-bm': 'pull bm',
      'openshift-gitops/branding-sno': 'pull sno',
      'openshift-gitops/compliance-operator-bm': 'push bm bm-application-manager-cluster-secret',
      'openshift-gitops/compliance-operator-sno': 'push sno sno-application-manager-cluster-secret',
    })
  })

  test('push by the URL of the API server', async () => {
    expect((await models('acm-2.14-healthy'))['openshift-gitops/compliance-operator-bm']).toBe(
      'push bm bm-application-manager-cluster-secret',
    )
  })

  test('push through a blank secret', async () => {
    expect((await models('two-gitopsclusters-blank-wins'))['openshift-gitops/baseline-bm']).toBe(
      'push bm bm-application-manager-cluster-secret',
    )
  })

  test('meant for pull, but without the label', async () => {
    const found = await models('pull-label-missing')
    expect(found['openshift-gitops/till-bm']).toBe('pull bm')
    expect(found['openshift-gitops/till-sno']).toBe('pull sno')
    const { byKey } = (await recordedTyped('pull-label-missing')).join(applications)
    expect(byKey.get('openshift-gitops/till-bm')?.pullComplete).toBe(false)
    expect(byKey.get('openshift-gitops/till-bm')?.reason).toContain(PULL)
    expect(byKey.get('openshift-gitops/branding-bm')?.pullComplete).toBe(true)
  })

  test('meant for pull, but without a target', async () => {
    const { byKey } = (await recordedTyped('pull-target-annotation-missing')).join(applications)
    const link = byKey.get('openshift-gitops/pricing.bm')
    expect([link?.model, link?.cluster, link?.pullComplete]).toEqual(['pull', '', false])
  })

  test('managed by an agent, through the name of its secret', async () => {
    expect(await models('agent-healthy')).toEqual({
      'openshift-gitops/branding-bottom-bm': 'agent bm cluster-bm',
      'openshift-gitops/branding-bottom-sno': 'agent sno cluster-sno',
    })
  })

  test('sent by an autonomous agent', async () => {
    expect(await models('agent-autonomous-healthy')).toEqual({
      'bm/branding-bm': expect.stringMatching(/^agent bm/),
      'sno/branding-sno': expect.stringMatching(/^agent sno/),
    })
  })

  test('beside agents: the hub itself, and a secret made by hand', async () => {
    expect(await models('agent-hub-frozen-push')).toEqual({
      'openshift-gitops/bm-branding-push': 'push bm bm-push',
      'openshift-gitops/branding-bottom-bm': 'agent bm cluster-bm',
      'openshift-gitops/branding-bottom-sno': 'agent sno cluster-sno',
      'openshift-gitops/hub-branding': 'local local-cluster cluster-local-cluster',
      'openshift-gitops/hub-new': 'local local-cluster cluster-local-cluster',
      'openshift-gitops/hub-setup': 'local local-cluster cluster-local-cluster',
    })
  })

  test('upstream, where every cluster has a secret without credentials', async () => {
    expect(await models('upstream-healthy')).toEqual({
      'argocd/bm-signboard': 'pull bm',
      'argocd/sno-signboard': 'pull sno',
    })
  })

  test('a destination that no secret has', async () => {
    const lost = await patched('mixed-healthy', patch => {
      patch.remove('hub/Secret/openshift-gitops/bm-application-manager-cluster-secret')
    })
    const link = (await lost.load()).fleet.join(applications).byKey.get('openshift-gitops/compliance-operator-bm')
    // The URL of the cluster proxy still names the cluster.
    expect([link?.model, link?.cluster]).toEqual(['unknown', 'bm'])
  })
})

test('joins an Application with its ApplicationSet and Argo CD', async () => {
  const { byKey } = (await recordedTyped('mixed-healthy')).join(applications)
  const link = byKey.get('openshift-gitops/branding-bm')
  expect(link?.owner?.name).toBe('branding-pull')
  expect(link?.appSet?.appSet.meta.uid).toBe('62374529-d776-4a1f-95ae-c32e48e6624e')
  expect(link?.argoNamespace).toBe('openshift-gitops')
  const standalone = (await recordedTyped('pull-standalone-healthy')).join(applications).byKey.get('kiosk-team/kiosk')
  expect([standalone?.owner, standalone?.cluster, standalone?.argoNamespace]).toEqual([
    undefined,
    'sno',
    'openshift-gitops',
  ])
})

test('reads booleans as the controllers do', async () => {
  // strconv.ParseBool of Go.
  for (const yes of ['1', 't', 'T', 'TRUE', 'true', 'True']) expect(parsesTrue(yes), yes).toBe(true)
  for (const no of ['yes', 'on', '', '0', 'tRUE', ' true', undefined]) expect(parsesTrue(no), no).toBe(false)
  const odd = await patched('mixed-healthy', patch => {
    const ref = 'hub/Application/openshift-gitops/branding-bm'
    patch.set(ref, ['metadata', 'labels', PULL], 'yes')
    patch.set(ref, ['metadata', 'annotations', 'argocd.argoproj.io/skip-reconcile'], 'yes')
  })
  const link = (await odd.load()).fleet.join(applications).byKey.get('openshift-gitops/branding-bm')
  expect([link?.model, link?.pullComplete, link && skipsReconcile(link.app)]).toEqual(['pull', false, false])
})
