import { expect, test } from 'vitest'
import { CHECKS } from '../../../src/checks/registry.ts'
import { runChecks } from '../../../src/checks/run.ts'
import { FLEET_NAMES, readRecorded, recorded } from '../../support/fleets.ts'
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

test('every check is seen to fail: on a recorded fleet, or on one with a small change', async () => {
  const seen = new Set(CASES.map(c => c.slug))
  for (const name of FLEET_NAMES) {
    const { fleet, lost } = await (await readRecorded(name)).load()
    for (const { check } of runChecks(fleet, CHECKS, lost).found) seen.add(check.slug)
  }
  expect(CHECKS.map(c => c.slug).filter(slug => !seen.has(slug))).toEqual([])
})
