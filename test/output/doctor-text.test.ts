import { describe, expect, test } from 'vitest'
import { renderDoctorShort } from '../../src/output/doctor-short.ts'
import { renderDoctorText, renderDoctorWide } from '../../src/output/doctor-text.ts'
import { width } from '../../src/output/layout.ts'
import { COLOUR } from '../../src/output/style.ts'
import { symbols } from '../../src/output/symbols.ts'
import { FINDING, OPTIONS, PASSED, report, SKIPPED, UNKNOWN, WARNING } from './samples.ts'

const MIXED = report({ findings: [FINDING, WARNING], unknown: [UNKNOWN] })

describe('text of a doctor run', () => {
  test('lays a finding out as the conventions show it', () => {
    const lines = renderDoctorText(MIXED, OPTIONS).split('\n')
    const at = lines.indexOf(
      'Error FLT0102 clusterset-binding-missing   openshift-gitops/Placement/production-clusters',
    )
    expect(lines.slice(at + 1, at + 7)).toEqual([
      '  Placement selects ManagedClusterSet "production", which is not bound to namespace "openshift-gitops".',
      '  Seen     openshift-gitops/ManagedClusterSetBinding/production does not exist; ' +
        'openshift-gitops/Placement/production-clusters .status.conditions[PlacementSatisfied]: False (NoManagedClusterSetBindings)',
      '  Effect   0 clusters selected; 3 ApplicationSets generate nothing (FLT0301 x3)',
      '  Impact   2 Applications: a/x, a/y; 2 clusters: bm, sno',
      '  Fix      create ManagedClusterSetBinding "production" in namespace "openshift-gitops"',
      '  More     fleetctl explain FLT0102',
    ])
  })

  test('ends with totals, coverage and the meaning of the exit code', () => {
    expect(renderDoctorText(MIXED, OPTIONS).trimEnd().split('\n').slice(-3)).toEqual([
      '1 error, 1 warning, 0 infos, 1 passed',
      'Evaluated 4 of 6 checks; 1 unknown: secrets on sno: cannot list secrets; 1 skipped.',
      'Exit code 1: at least one finding is an error.',
    ])
  })

  test.each([
    [0, 'error', 'Exit code 0: no finding is an error.'],
    [1, 'warning', 'Exit code 1: at least one finding is a warning or worse.'],
    [3, 'error', 'Exit code 3: no such finding, but not everything could be seen, so health is unknown.'],
  ] as const)('says what exit code %i means', (exitCode, failOn, sentence) => {
    expect(
      renderDoctorText(report(), { ...OPTIONS, exitCode, failOn })
        .trimEnd()
        .split('\n')
        .at(-1),
    ).toBe(sentence)
  })

  test('collapses a category to one line with counts; wide lists its checks', () => {
    const text = renderDoctorText(MIXED, OPTIONS)
    expect(text).toContain('\nclusters       1 passed\n')
    expect(text).toContain('\ndelivery       1 unknown\n')
    expect(text).not.toContain(PASSED.title)
    const wide = renderDoctorWide(MIXED, OPTIONS)
    expect(wide).toContain(`  FLT0001  passed  cluster-accepted  ${PASSED.title}\n`)
    expect(wide).toContain(`  FLT0901  skipped  principal-running  ${SKIPPED.reason}\n`)
    expect(wide).toContain(`  FLT0401  unknown  cluster-secret-blank  ${UNKNOWN.reason}\n`)
  })

  test('lists folded findings only with --show-symptoms', () => {
    const head = 'Error FLT0301 appset-generates-nothing   openshift-gitops/ApplicationSet/one'
    expect(renderDoctorText(MIXED, OPTIONS)).not.toContain(head)
    expect(renderDoctorText(MIXED, { ...OPTIONS, showSymptoms: true })).toContain(`    ${head}\n`)
  })

  test('names what could not be read, with file and line', () => {
    const text = renderDoctorText(
      report({ problems: [{ where: 'hub/x.yaml', line: 12, message: 'no YAML' }] }),
      OPTIONS,
    )
    expect(text).toContain('Incomplete   1 part of the source could not be read\n  Unread   hub/x.yaml:12: no YAML\n')
  })

  test('says no header under --no-headers', () => {
    const text = renderDoctorText(MIXED, { ...OPTIONS, headers: false })
    expect(text).not.toContain('recording lab')
    expect(text).not.toContain('CATEGORY')
  })

  test('fits 80 columns on a terminal, and cuts nothing elsewhere', () => {
    const long = { ...FINDING, evidence: FINDING.evidence.map(e => ({ ...e, value: 'word '.repeat(100).trim() })) }
    const wide = report({ findings: [long], unknown: [UNKNOWN] })
    const narrow = { ...OPTIONS, width: 80, symbols: symbols(true, true), style: COLOUR }
    for (const line of renderDoctorText(wide, narrow).split('\n')) expect(width(line)).toBeLessThanOrEqual(80)
    expect(renderDoctorText(wide, OPTIONS)).toContain('word '.repeat(100).trim())
  })

  test('never speaks by colour alone', () => {
    const coloured = renderDoctorText(MIXED, { ...OPTIONS, style: COLOUR })
    expect(coloured).toContain('\x1b[31mError\x1b[39m')
    expect(coloured.replaceAll(/\x1b\[\d+m/g, '')).toBe(renderDoctorText(MIXED, OPTIONS))
  })

  test('suggests commands in the form that the user typed', () => {
    expect(renderDoctorText(MIXED, { ...OPTIONS, command: 'oc fleetctl' })).toContain(
      'More     oc fleetctl explain FLT0102',
    )
  })

  test('keeps the blanks of an indented fix', () => {
    const finding = { ...FINDING, fix: 'apply:\n  kind: ManagedClusterSetBinding\n    name: x' }
    expect(renderDoctorText(report({ findings: [finding] }), { ...OPTIONS, width: 80 })).toContain(
      '  Fix      apply:\n             kind: ManagedClusterSetBinding\n               name: x\n',
    )
  })
})

describe('short form', () => {
  test('has one line for each problem', () => {
    expect(renderDoctorShort(report({ findings: [WARNING], unknown: [UNKNOWN] }), OPTIONS)).toBe(
      'Warning FLT0205 openshift-gitops/ApplicationSet/four  The token expires in two days.\n' +
        'Unknown 1 check: secrets on sno: cannot list secrets\n',
    )
  })

  test('says nothing about a healthy fleet', () => {
    expect(renderDoctorShort(report(), OPTIONS)).toBe('')
  })
})

test('reasons of unknown checks stand once each, several resources of a cluster together', () => {
  const unseen = ['pods', 'secrets'].map(resource => ({ cluster: 'sno', resource, reason: 'list was refused' }))
  const unknown = [
    { ...UNKNOWN, unseen },
    { ...UNKNOWN, code: 'FLT0402', unseen },
  ]
  expect(renderDoctorText(report({ unknown }), OPTIONS)).toContain(
    'Evaluated 1 of 4 checks; 2 unknown: pods, secrets on sno: list was refused; 1 skipped.\n',
  )
})

test('of many resources that could not be seen the first are named, and the rest counted', () => {
  const unseen = ['pods', 'secrets', 'leases', 'roles', 'events'].map(resource => ({
    cluster: 'hub',
    resource,
    reason: 'nothing of it in the source',
  }))
  expect(renderDoctorShort(report({ unknown: [{ ...UNKNOWN, unseen }] }), OPTIONS)).toBe(
    'Unknown 1 check: events, leases, pods and 2 more on hub: nothing of it in the source\n',
  )
})
