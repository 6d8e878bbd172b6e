import { expect, test } from 'vitest'
import { recorded } from '../../support/fleets.ts'
import { patched } from '../../support/patch.ts'
import { CASES } from './cases.ts'
import { holds, seenBy } from './support.ts'

holds(CASES)

test('principal-open-namespaces: as it was recorded, and with the namespaces named', async () => {
  const open = await seenBy('principal-open-namespaces', await recorded('agent-healthy'))
  expect(open.map(f => [f.subject, f.severity])).toEqual([['openshift-gitops/ArgoCD/openshift-gitops', 'info']])
  const path = ['spec', 'argoCDAgent', 'principal', 'namespace', 'allowedNamespaces']
  const named = await patched('agent-healthy', p =>
    p.set('hub/ArgoCD/openshift-gitops/openshift-gitops', path, ['team-a']),
  )
  expect(await seenBy('principal-open-namespaces', named)).toEqual([])
})

test('app-server-literal: nothing where the API URL is to stay, or is rendered anew', async () => {
  const fleet = 'acm-2.14-healthy'
  const byHand = CASES.find(c => c.slug === 'app-server-literal' && c.fleet === fleet)
  const kept = await patched(fleet, p => {
    byHand?.change(p)
    for (const { kind, raw } of [...p.objects]) {
      const { namespace, name } = raw.metadata as { namespace: string; name: string }
      if (kind !== 'GitOpsCluster') continue
      const legacy = 'apps.open-cluster-management.io/legacy-cluster-secret'
      p.set(`hub/GitOpsCluster/${namespace}/${name}`, ['metadata', 'annotations', legacy], 'true')
    }
  })
  expect(await seenBy('app-server-literal', kept)).toEqual([])
  expect(await seenBy('app-server-literal', await recorded(fleet))).toEqual([])
})
