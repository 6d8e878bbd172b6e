import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ReportedFinding } from '../../src/checks/report.ts'
import { runDoctor } from '../../src/doctor.ts'
import type { Subject } from '../../src/fleet/subject.ts'
import { isObject, listAt, text, textAt, valueAt } from '../../src/raw.ts'
import { record } from '../../src/snapshot/record.ts'
import { FleetRedaction } from '../../src/snapshot/redact/redaction.ts'
import { targetOf } from '../../src/snapshot/target.ts'
import { openPath } from '../../src/source/open.ts'
import { FLEET_NAMES, RecordedFleet, recorded } from '../support/fleets.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleetctl-redacted-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Names and files below a folder, and what stands in base64 in them, as one text. */
function everything(root: string): string {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const texts = paths.filter(p => statSync(join(root, p)).isFile()).map(p => readFileSync(join(root, p), 'utf8'))
  const plain = [...paths, ...texts].join('\n')
  const encoded = [...plain.matchAll(/"([A-Za-z0-9+/]{8,}={0,2})"/g)].map(m =>
    Buffer.from(m[1] ?? '', 'base64').toString(),
  )
  return [plain, ...encoded].join('\n')
}

/** Hosts in URLs, less those that every installation has. */
function hostsIn(text: string): string[] {
  const hosts = [...text.matchAll(/[a-z]+:\/\/(?:[^\s/@"']+@)?([a-z0-9][a-z0-9.-]*)/gi)].map(m =>
    (m[1] ?? '').replace(/\.$/, ''),
  )
  const isPublic =
    /(^|\.)(svc|svc\.cluster\.local|localhost|k8s\.io|kubernetes\.io|argoproj\.io|redhat\.com|github\.com|openshift\.io|open-cluster-management\.io)$|^127\.|^[^.]+$/
  return hosts.filter(host => !isPublic.test(host))
}

/** What must not be seen any more, from the recording itself. */
function secretsOf({ objects }: RecordedFleet): ReadonlySet<string> {
  const names = new Set<string>()
  const all = JSON.stringify(objects.map(o => o.raw))
  for (const { kind, raw } of objects) {
    const name = textAt(raw, 'metadata', 'name')
    if (kind === 'ManagedCluster' && name !== 'local-cluster') names.add(name)
    if (
      kind === 'Namespace' &&
      !/^(default|hive|argocd|hub|local-cluster|(kube|openshift|open-cluster-management|multicluster-engine).*)$/.test(
        name,
      )
    )
      names.add(name)
    if (kind === 'Application') {
      for (const source of [valueAt(raw, 'spec', 'source'), ...listAt(raw, 'spec', 'sources')])
        if (textAt(source, 'repoURL') !== '') names.add(textAt(source, 'repoURL'))
    }
  }
  for (const host of hostsIn(all)) names.add(host)
  return names
}

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

type Redact = (text: string) => string

/** What a finding is, without its texts. */
function shape(finding: ReportedFinding, redact: Redact): unknown {
  const name = ({ cluster, kind, namespace, name }: Subject): string =>
    [cluster === 'hub' ? cluster : redact(cluster), kind, redact(namespace), redact(name)].join('/')
  const explains = finding.explains
    .map(f => shape(f, redact))
    .map(f => JSON.stringify(f))
    .sort()
  const { applications, clusters } = finding.impact
  return {
    code: finding.code,
    severity: finding.severity,
    subject: name(finding.subject),
    applications,
    clusters,
    explains,
  }
}

const sorted = (findings: readonly ReportedFinding[], redact: Redact): string[] =>
  findings.map(f => JSON.stringify(shape(f, redact), null, 1)).sort()

describe('a redacted snapshot of a recorded fleet', () => {
  test.each(FLEET_NAMES)('%s: the same findings, and no name, host or URL of it', async name => {
    await holds(await recorded(name), name)
  })

  // Recordings in which the clusters have other names; nothing else of them differs.
  test.each([
    ['words of one kind', 'prod-east-1', 'prod-west-1'],
    ['standard words and numbers', 'cluster-1', 'cluster-10'],
    ['the names that others get', 'c0', 'a0'],
    ['a word that messages have', 'production', 'wanted'],
    ['numbers', '0815', '4711'],
    ['one name within the other', 'east', 'east-2'],
    ['upper-case letters in derived names', 'kwx', 'kwxq'],
  ])('clusters called by %s', async (_, bm, sno) => {
    for (const name of ['pull-rbac-forbidden-retrying', 'push-works-cluster-proxy-addon-unavailable']) {
      const fleet = renamed(
        await recorded(name),
        new Map([
          ['bm', bm],
          ['sno', sno],
        ]),
      )
      await holds(fleet, `${name}-${bm}`)
    }
  })

  test('a cluster that is called like a part of standard names keeps its name, and that is said', async () => {
    const fleet = renamed(await recorded('pull-healthy'), new Map([['bm', 'server']]))
    const redaction = new FleetRedaction()
    await record(fleet, targetOf('server', folder), { redaction })
    expect(redaction.kept).toEqual(['server'])
    const [was, is] = [await runDoctor(fleet), await runDoctor(await openPath(join(folder, 'server')))]
    expect(is.summary).toEqual(was.summary)
  })
})

/** The same fleet with clusters of other names, derived names included. */
function renamed(fleet: RecordedFleet, names: ReadonlyMap<string, string>): RecordedFleet {
  const words = new RegExp(`(?<![A-Za-z0-9])(${[...names.keys()].join('|')})(?![A-Za-z0-9])`, 'g')
  const rename = (text: string): string => text.replace(words, found => names.get(found) ?? found)
  const objects = fleet.objects.map(({ cluster, kind, raw, where }) => {
    const other: unknown = JSON.parse(rename(JSON.stringify(raw)))
    if (!isObject(other)) throw new Error('an object stays one')
    const { data } = other
    if (kind === 'Secret' && isObject(data)) {
      for (const [key, value] of Object.entries(data)) {
        data[key] = Buffer.from(rename(Buffer.from(text(value), 'base64').toString())).toString('base64')
      }
    }
    return { cluster: rename(cluster), kind, raw: other, where }
  })
  const clusters = fleet.report.clusters.map(c => ({ ...c, name: rename(c.name) }))
  return new RecordedFleet(fleet.name, objects, { ...fleet.report, clusters })
}

async function holds(fleet: RecordedFleet, name: string): Promise<void> {
  const redaction = new FleetRedaction()
  await record(fleet, targetOf(name, folder), { redaction })
  const redact = redaction.redactor().text
  const [was, is] = [await runDoctor(fleet), await runDoctor(await openPath(join(folder, name)))]
  expect(sorted(is.findings, text => text)).toEqual(sorted(was.findings, redact))
  const codes = (of: readonly { readonly code: string }[]): string[] => of.map(c => c.code).sort()
  expect([codes(is.unknown), codes(is.skipped), codes(is.passed)]).toEqual([
    codes(was.unknown),
    codes(was.skipped),
    codes(was.passed),
  ])
  expect(is.summary).toEqual(was.summary)

  const secrets = [...secretsOf(fleet)]
  expect(secrets.length).toBeGreaterThan(3)
  expect(redaction.kept).toEqual([])
  const all = everything(join(folder, name))
  const seen = secrets.filter(secret => new RegExp(`(?<![A-Za-z0-9])${escaped(secret)}(?![A-Za-z0-9])`).test(all))
  expect(seen).toEqual([])
}
