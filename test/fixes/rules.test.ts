import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { examine } from '../../src/diagnosis.ts'
import { choose } from '../../src/fixes/choose.ts'
import { fixOf } from '../../src/fixes/lookup.ts'
import { makeFixPlan } from '../../src/fixes/make-fix-plan.ts'
import { FIXES } from '../../src/fixes/registry.ts'
import { KIND_NAMES } from '../../src/fleet/kinds.ts'
import { loadFleet } from '../../src/fleet/load.ts'
import { keepObjects } from '../../src/plan/object-reader.ts'
import { objectSteps } from '../../src/plan/plan.ts'
import { listAt, textAt } from '../../src/raw.ts'
import { ALL_KINDS, FLEET_NAMES, FLEETS, readRecorded } from '../support/fleets.ts'
import { allNodes } from './prove.ts'

/** Does the file that was recorded with the fleet call it healthy? */
const isHealthy = (name: string): boolean =>
  /^healthy: true$/m.test(readFileSync(join(FLEETS, `${name}.expected.yaml`), 'utf8'))

const ALL_SAFE = { codes: [], allSafe: true, namespace: undefined, names: [] }
/** Kinds that hand out rights, and what the GitOpsCluster controller writes of them itself. */
const RIGHTS = new Set([
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
  'ClusterPermission',
  'ManifestWork',
])
const BY_THE_HUB = new Set(['FLT0209 generator-rbac'])

describe('fixes', () => {
  test('are for checks that there are, one for each, and say what they do and risk', () => {
    const codes = new Set(CHECKS.map(check => check.code))
    expect(FIXES.map(fix => fix.code).filter(code => !codes.has(code))).toEqual([])
    expect(new Set(FIXES.map(fix => fix.code)).size).toBe(FIXES.length)
    for (const { code, does, risk, kinds } of FIXES) {
      expect(does, code).toMatch(/^[a-z].*[^.]$/)
      expect(risk, code).toMatch(/^\S.*[^.]$/)
      expect(kinds.length, code).toBeGreaterThan(0)
    }
  })

  test('are safe only where they neither delete nor hand out rights', () => {
    expect(FIXES.filter(fix => fix.safe && /\b(delete|give|permit)\b/.test(fix.does)).map(fix => fix.code)).toEqual([
      'FLT0209',
      'FLT0802',
    ])
  })

  test.each(FLEET_NAMES)(
    'in %s look only at what their checks look at, and all that is safe goes on one plan',
    async name => {
      const fleet = await readRecorded(name)
      const kept = keepObjects(fleet, KIND_NAMES)
      const loaded = await loadFleet(kept.source, ALL_KINDS)
      const diagnosis = examine(loaded, CHECKS)
      for (const { found } of allNodes(diagnosis.roots)) {
        const read = new Set<string>()
        const watched = loaded.fleet.observedBy((role, kind) => read.add(`${role} ${kind}`))
        fixOf(found.check.code)?.hinders?.(found.finding, watched)
        const { needs, uses } = found.check
        const may = new Set([
          ...[...(needs.hub ?? []), ...(uses?.hub ?? [])].map(kind => `hub ${kind}`),
          ...[...(needs.spoke ?? []), ...(uses?.spoke ?? [])].map(kind => `spoke ${kind}`),
        ])
        expect(
          [...read].filter(kind => !may.has(kind)),
          found.check.code,
        ).toEqual([])
      }
      const request = { choice: ALL_SAFE, words: ['doctor', 'fix'], accepted: new Set<string>(), forFiles: false }
      const plan = await makeFixPlan(request, { diagnosis, kept, reader: kept.reader, now: new Date(0) })
      // What is called harmless may be put right all the same.
      const sections = plan.steps.map(step => step.section)
      if (isHealthy(name)) expect(sections.filter(s => s !== 'FLT0410 pull-destination-misleading')).toEqual([])
      for (const step of objectSteps(plan)) {
        expect(step.action).not.toBe('delete')
        expect(step.subject.cluster).toBe('hub')
        if (RIGHTS.has(step.subject.kind) && step.action === 'create') expect(BY_THE_HUB).toContain(step.section)
      }
      expect(plan.gates.filter(gate => gate.code === 'deletes')).toEqual([])
      // Whoever names no fault gets the same as whoever looks for what is safe.
      expect(choose(diagnosis, ALL_SAFE).every(({ fix }) => fix.safe)).toBe(true)
    },
  )

  test('permit in a project what its Applications use, and not all that a template could become', async () => {
    const kept = keepObjects(await readRecorded('appproject-denies-destination'), KIND_NAMES)
    const diagnosis = examine(await loadFleet(kept.source, ALL_KINDS), CHECKS)
    const choice = { codes: ['FLT0516'], allSafe: false, namespace: undefined, names: [] }
    const request = { words: ['doctor', 'fix', 'FLT0516'], choice, forFiles: false, accepted: new Set<string>() }
    const plan = await makeFixPlan(request, { diagnosis, kept, reader: kept.reader, now: new Date(0) })
    const project = objectSteps(plan).find(step => step.subject.kind === 'AppProject')
    const servers = listAt(project?.manifest, 'spec', 'destinations').map(d => textAt(d, 'server').replace(/.*\//, ''))
    // The template says {{server}}; what it became are the two clusters.
    expect(servers).toEqual(['bm', 'sno'])
  })
})
