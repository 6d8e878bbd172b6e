import { describe, expect, test } from 'vitest'
import { renderJunit } from '../../src/output/junit.ts'
import { FINDING, OPTIONS, report, UNKNOWN, WARNING } from './samples.ts'

/** Cases of the XML by name, with the element inside. */
function cases(xml: string): Record<string, string> {
  const found = [...xml.matchAll(/<testcase name="([^"]*)" classname="[^"]*" time="0"(?:\/>|>(?:<([\w-]+))?)/g)]
  return Object.fromEntries(found.map(([, name = '', inside = 'passed']) => [name, inside]))
}

const ALL = report({
  findings: [FINDING, WARNING],
  unknown: [UNKNOWN],
  problems: [{ where: 'hub/x.yaml', line: 3, message: 'no YAML' }],
  suppressed: [{ ...WARNING, code: 'FLT0999', slug: 'known', by: '--ignore FLT0999' }],
})

describe('JUnit', () => {
  test('a case is a check on a cluster; the threshold decides what fails', () => {
    expect(cases(renderJunit(ALL, OPTIONS))).toEqual({
      'FLT0001 cluster-accepted (fleet)': 'passed',
      'FLT0102 clusterset-binding-missing (hub)': 'failure',
      'FLT0205 token-expires-soon (hub)': 'system-out',
      'FLT0301 appset-generates-nothing (hub)': 'skipped',
      'FLT0401 cluster-secret-blank (sno)': 'skipped',
      'FLT0901 principal-running (fleet)': 'skipped',
      'FLT0999 known (hub)': 'skipped',
      'hub/x.yaml:3 (fleet)': 'error',
    })
    expect(cases(renderJunit(ALL, { ...OPTIONS, failOn: 'warning' }))['FLT0205 token-expires-soon (hub)']).toBe(
      'failure',
    )
  })

  test('suites are categories and the totals agree', () => {
    const xml = renderJunit(ALL, OPTIONS)
    expect([...xml.matchAll(/<testsuite name="(\w+)"/g)].map(match => match[1])).toEqual([
      'clusters',
      'selection',
      'registration',
      'generation',
      'delivery',
      'agent',
      'source',
    ])
    expect(xml).toContain(
      '<testsuites name="fleetctl doctor" tests="8" failures="1" errors="1" skipped="4" time="1.5">',
    )
  })

  test('trouble in reading is no error under --allow-incomplete, which accepts it', () => {
    expect(cases(renderJunit(ALL, { ...OPTIONS, allowIncomplete: true }))['hub/x.yaml:3 (fleet)']).toBe('skipped')
  })

  test('findings of one check on one cluster are one case', () => {
    const second = { ...FINDING, subject: { ...FINDING.subject, name: 'other' }, explains: [] }
    const xml = renderJunit(report({ findings: [FINDING, second] }), OPTIONS)
    expect(xml.match(/<failure /g)).toHaveLength(1)
    expect(xml).toContain('openshift-gitops/Placement/other')
  })
})
