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
