import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { DoctorReport } from '../../src/checks/report.ts'
import { runDoctor } from '../../src/doctor.ts'
import { listAt, textAt } from '../../src/raw.ts'
import { record } from '../../src/snapshot/record.ts'
import { targetOf } from '../../src/snapshot/target.ts'
import { openPath } from '../../src/source/open.ts'
import type { Coverage, FleetSource } from '../../src/source/source.ts'
import { traceApp } from '../../src/trace/run.ts'
import { ALL_KINDS, FLEET_NAMES, FLEETS, recorded } from '../support/fleets.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleetctl-snapshot-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function snapshotOf(source: FleetSource, name: string): Promise<FleetSource> {
  await record(source, targetOf(name, folder), {})
  return openPath(join(folder, name))
}

function substance({ startedAt: _, finishedAt: __, source, ...rest }: DoctorReport): unknown {
  return { ...rest, now: source.now, problems: source.problems }
}

/** Every file below a folder with its content, by its path. */
function filesIn(root: string): ReadonlyMap<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(p => statSync(join(root, p)).isFile())
  return new Map(paths.sort().map(p => [p, readFileSync(join(root, p), 'utf8')]))
}

describe('a snapshot of a recorded fleet', () => {
  test.each(FLEET_NAMES)('%s: doctor and trace say the same, and no value of a Secret is in it', async name => {
    const fleet = await recorded(name)
    const snapshot = await snapshotOf(fleet, name)
    expect(substance(await runDoctor(snapshot))).toEqual(substance(await runDoctor(fleet)))
    const expected: unknown = parse(readFileSync(join(FLEETS, `${name}.expected.yaml`), 'utf8'))
    for (const trace of listAt(expected, 'trace').slice(0, 1)) {
      const [namespace = '', app = ''] = textAt(trace, 'app').split('/')
      const [of, was] = [
        await traceApp(snapshot, { namespace, name: app }),
        await traceApp(fleet, { namespace, name: app }),
      ]
      expect({ ...of, source: '' }).toEqual({ ...was, source: '' })
    }
    const all = [...filesIn(join(folder, name)).values()].join('')
    const base64 = [...all.matchAll(/"([A-Za-z0-9+/]{12,}={0,2})"/g)].map(m =>
      Buffer.from(m[1] ?? '', 'base64').toString(),
    )
    expect(all.includes('CANARY-') || base64.some(plain => plain.includes('CANARY-'))).toBe(false)
  })

  test('of the same state is the same, byte by byte, as a folder and as an archive', async () => {
    const fleet = await recorded('agent-healthy')
    await snapshotOf(fleet, 'one')
    await snapshotOf(await snapshotOf(fleet, 'two'), 'three')
    const [one, three] = ['one', 'three'].map(name => filesIn(join(folder, name)))
    expect([...(three ?? [])]).toEqual([...(one ?? [])])
    await snapshotOf(fleet, 'one.tgz')
    const first = readFileSync(join(folder, 'one.tgz'))
    await record(await openPath(join(folder, 'one')), targetOf('one.tgz', folder), { force: true })
    expect(readFileSync(join(folder, 'one.tgz')).equals(first)).toBe(true)
    // Other tools read it too.
    const names = execFileSync('tar', ['-tzf', join(folder, 'one.tgz')], { encoding: 'utf8' })
    expect(names.trim().split('\n')).toEqual([...(one ?? new Map()).keys()].map(p => `one/${p}`))
  })

  test('belongs to its owner alone', async () => {
    await snapshotOf(await recorded('pull-healthy'), 'mine')
    const mode = (p: string): string => (statSync(join(folder, p)).mode & 0o777).toString(8)
    expect(['mine', 'mine/hub', 'mine/hub/index.yaml', 'mine/bm/applications.argoproj.io.yaml'].map(mode)).toEqual([
      '700',
      '700',
      '600',
      '600',
    ])
    expect(readdirSync(folder).filter(name => name.startsWith('.'))).toEqual([])
  })
})

describe('what was not read', () => {
  /** A hub and a spoke of which the kinds are known in every way that there is. */
  const states: Readonly<Record<string, Coverage>> = {
    Placement: { state: 'read', complete: false, reason: 'forbidden for user "x" (need: list placements)' },
    Secret: { state: 'not-recorded', reason: 'not read (--no-secrets)' },
    ManifestWork: { state: 'refused', reason: 'forbidden for user "x" (need: list manifestworks)' },
    ArgoCD: { state: 'not-served' },
    ConfigMap: { state: 'read', complete: true, within: new Set(['a', 'b']) },
    Pod: { state: 'read', complete: false, reason: 'only the first 1000 were read', within: new Set(['a']) },
  }
  const source: FleetSource = {
    type: 'live',
    name: 'hub',
    read: async (_, sink) => {
      sink.object('hub', 'Placement', { metadata: { name: 'p', namespace: 'a' } }, '')
      sink.object('hub', 'Pod', { metadata: { name: 'p', namespace: 'a' } }, '')
      return {
        spokesNamed: true,
        problems: [],
        clusters: [
          {
            name: 'hub',
            role: 'hub',
            serverVersion: 'v1.34.2',
            readAt: 1_000,
            coverage: new Map([...ALL_KINDS].map(kind => [kind, states[kind] ?? { state: 'read', complete: true }])),
            otherwise: { state: 'not-recorded', reason: 'not asked for' },
          },
          {
            name: 'far',
            role: 'spoke',
            readAt: 2_000,
            coverage: new Map(),
            otherwise: { state: 'refused', reason: 'https://far:6443 does not answer' },
          },
        ],
      }
    },
  }

  test('is known of the snapshot as it was of the clusters', async () => {
    const snapshot = await snapshotOf(source, 'states')
    const report = await snapshot.read(ALL_KINDS, { object: () => {} })
    const [hub, far] = report.clusters
    expect(report.spokesNamed).toBe(true)
    expect(report.problems).toEqual([])
    for (const kind of ALL_KINDS)
      expect([kind, hub?.coverage.get(kind)]).toEqual([kind, states[kind] ?? { state: 'read', complete: true }])
    expect(hub).toMatchObject({ serverVersion: 'v1.34.2', readAt: 1_000 })
    expect(far).toMatchObject({ name: 'far', role: 'spoke', readAt: 2_000 })
    for (const kind of ALL_KINDS)
      expect(far?.coverage.get(kind)).toEqual({ state: 'refused', reason: 'https://far:6443 does not answer' })
    expect(substance(await runDoctor(snapshot))).toEqual(substance(await runDoctor(source)))
  })

  test('leaves nothing behind when reading fails', async () => {
    const failing: FleetSource = {
      ...source,
      read: async (wanted, sink) => {
        await source.read(wanted, sink)
        throw new Error('the hub is gone')
      },
    }
    await expect(record(failing, targetOf('never', folder), {})).rejects.toThrow('the hub is gone')
    expect(readdirSync(folder).filter(name => /^(never|\.)/.test(name))).toEqual([])
  })

  test('a cluster whose name is a path is refused', async () => {
    const climbing: FleetSource = {
      ...source,
      read: async (wanted, sink) => {
        const report = await source.read(wanted, sink)
        return { ...report, clusters: report.clusters.map(c => (c.role === 'hub' ? c : { ...c, name: '../far' })) }
      },
    }
    await expect(record(climbing, targetOf('never', folder), {})).rejects.toThrow('"../far" cannot be recorded')
  })
})
