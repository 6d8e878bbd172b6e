import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readCertificate } from '../../src/fleet/certificate.ts'
import type { KindName } from '../../src/fleet/kinds.ts'
import type { RawObject } from '../../src/raw.ts'
import { renameCertificates } from '../../src/snapshot/redact/certificate.ts'
import { FleetRedaction } from '../../src/snapshot/redact/redaction.ts'
import { pki } from '../support/pki.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** A redaction that was shown these objects. */
function shown(...objects: readonly (readonly [KindName, RawObject])[]): FleetRedaction {
  const redaction = new FleetRedaction()
  for (const [kind, object] of objects) redaction.learn(kind, object)
  return redaction
}

const cluster = (name: string, more: RawObject = {}): [KindName, RawObject] => [
  'ManagedCluster',
  { metadata: { name }, ...more },
]
const app = (spec: RawObject): [KindName, RawObject] => [
  'Application',
  { metadata: { name: 'x', namespace: 'argocd' }, spec },
]

describe('words', () => {
  test('of a cluster are replaced in every name that was made of it, and nowhere inside other words', () => {
    const { text } = shown(cluster('prod-west')).redactor()
    const [prod, west] = text('prod-west').split('-')
    expect(text('prod-west-application-manager-cluster-secret')).toBe(
      `${prod}-${west}-application-manager-cluster-secret`,
    )
    expect(text('shop-prod-west-1a2b3')).toBe(`shop-${prod}-${west}-1a2b3`)
    expect(text('system:open-cluster-management:prod-west:addon')).toBe(
      `system:open-cluster-management:${prod}-${west}:addon`,
    )
    expect(text('cluster "Prod-West" of PROD')).toBe(
      `cluster "${capital(prod)}-${capital(west)}" of ${prod?.toUpperCase()}`,
    )
    expect(text('production western product')).toBe('production western product')
  })

  test('keep their length, their order, and what is nearly the same', () => {
    const { text } = shown(
      cluster('alpha'),
      cluster('bravo'),
      cluster('charlie'),
      ['ManagedClusterSet', { metadata: { name: 'retailer' } }],
      ['Placement', { metadata: { name: 'p', namespace: 'argocd' }, spec: { clusterSets: ['retialer', 'wholesale'] } }],
    ).redactor()
    const names = ['alpha', 'bravo', 'charlie']
    expect(names.map(name => text(name).length)).toEqual(names.map(name => name.length))
    expect(names.map(text)).toEqual(names.map(text).sort())
    const [meant, typed, other] = ['retailer', 'retialer', 'wholesale'].map(text)
    const differing = [...(meant ?? '')].filter((letter, i) => letter !== typed?.[i])
    expect(differing).toHaveLength(1)
    expect(other?.slice(0, 8)).not.toBe(meant)
  })

  test('that Kubernetes and Argo CD use stay', () => {
    const { text } = shown(
      cluster('cluster-1'),
      app({ source: { repoURL: 'https://git.acme.com/argocd/app-server.git' } }),
    ).redactor()
    for (const standard of [
      'argocd-server',
      'openshift-gitops-argocd-application-controller',
      'apps.open-cluster-management.io/pull-to-ocm-managed-cluster',
      'https://kubernetes.default.svc',
      'All cluster decisions scheduled',
      'cluster-10',
    ])
      expect(text(standard)).toBe(standard)
    expect(text('cluster-1')).not.toBe('cluster-1')
    expect(text('to cluster-1.')).toBe(`to ${text('cluster-1')}.`)
  })
})

const capital = (word = ''): string => word.charAt(0).toUpperCase() + word.slice(1)

describe('places and people', () => {
  test('hosts, repositories, branches, paths, mail addresses, machines', () => {
    const { text } = shown(
      app({
        source: {
          repoURL: 'https://git.acme.com:8443/payroll/manifests.git',
          path: 'envs/zurich',
          targetRevision: 'release-matterhorn',
        },
        info: [{ name: 'contact', value: 'jane.doe@acme.com' }],
      }),
    ).redactor()
    const seen = text(
      'https://git.acme.com:8443/payroll/manifests.git envs/zurich release-matterhorn jane.doe@acme.com 10.1.2.3 fd00:1:2:3::4',
    )
    for (const own of ['acme', 'payroll', 'zurich', 'matterhorn', 'jane', 'doe', '10.1.2.3', 'fd00:1'])
      expect(seen).not.toContain(own)
    expect(seen).toMatch(/^https:\/\/git\.\w+\.com:8443\/\w+\/\w+\.git /)
    expect(text('git@git.acme.com:payroll/manifests.git')).toMatch(/^git@git\.\w+\.com:\w+\/\w+\.git$/)
  })

  test('what only looks like an address stays', () => {
    const { text } = shown().redactor()
    for (const other of ['v4.20.8', '127.0.0.1:443', '2026-11-30T16:19:02Z', '16:19:02', 'sha256:1.2.3', '1.2.3'])
      expect(text(other)).toBe(other)
  })

  test('who may do something, unless the system does', () => {
    const binding: RawObject = {
      metadata: { name: 'b', namespace: 'argocd' },
      subjects: [
        { kind: 'User', name: 'jdoe' },
        { kind: 'Group', name: 'system:authenticated' },
      ],
    }
    const { object } = shown(['RoleBinding', binding]).redactor()
    const { subjects } = object('RoleBinding', binding)
    expect(subjects).toEqual([
      { kind: 'User', name: expect.not.stringContaining('jdoe') },
      { kind: 'Group', name: 'system:authenticated' },
    ])
  })

  test('a user whom an API server refused', () => {
    const redaction = new FleetRedaction()
    redaction.learnText('cannot list pods on https://api.acme.com:6443: forbidden for user "jdoe" (need: list pods)')
    expect(redaction.redactor().text('forbidden for user "jdoe" (need: list pods)')).toMatch(
      /^forbidden for user "\w+" \(need: list pods\)$/,
    )
    expect(redaction.redactor().text('jdoe')).not.toBe('jdoe')
  })
})

describe('objects', () => {
  test('keep kinds, fields, reasons, uids; a template means what it meant', () => {
    const set: RawObject = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: {
        name: 'reason',
        namespace: 'argocd',
        uid: 'deadbeef-0000-4000-8000-000000000000',
        labels: { 'acme.com/tier': 'gold' },
      },
      spec: { template: { metadata: { name: 'billing-{{name}}' } } },
      status: { conditions: [{ type: 'ErrorOccurred', reason: 'Billing', message: 'billing-oslo is there' }] },
    }
    const { object, text } = shown(cluster('oslo'), ['ApplicationSet', set]).redactor()
    const billing = text('billing')
    expect(object('ApplicationSet', set)).toEqual({
      ...set,
      metadata: { ...(set.metadata as object), labels: { [text('acme.com/tier')]: text('gold') } },
      spec: { template: { metadata: { name: `${billing}-{{name}}` } } },
      status: {
        conditions: [{ type: 'ErrorOccurred', reason: 'Billing', message: `${billing}-${text('oslo')} is there` }],
      },
    })
    expect([text('acme.com/tier'), text('gold')]).not.toContain('acme.com/tier')
    expect(text('gold')).not.toBe('gold')
  })

  test('name and server of a cluster secret, in base64', () => {
    const encode = (plain: string): string => Buffer.from(plain).toString('base64')
    const secret: RawObject = {
      kind: 'Secret',
      metadata: { name: 'oslo-secret', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
      data: { name: encode('oslo'), server: encode('https://api.oslo.acme.com:6443'), config: '' },
    }
    const { object, text } = shown(['Secret', secret]).redactor()
    expect(object('Secret', secret).data).toEqual({
      name: encode(text('oslo')),
      server: encode(`https://api.${text('oslo')}.${text('acme')}.com:6443`),
      config: '',
    })
    expect(text('oslo')).not.toBe('oslo')
  })
})

describe('certificates', () => {
  const pem = readFileSync(pki('server.crt'), 'utf8')
  const before = readCertificate(pem)

  test('are made anew, with their time and other names', () => {
    const made = renameCertificates(pem, name => (/^\d/.test(name) ? '198.18.0.1' : 'other.example'))
    const after = readCertificate(made)
    expect(before?.names.length).toBeGreaterThan(0)
    expect(after).toMatchObject({ notBefore: before?.notBefore, notAfter: before?.notAfter })
    expect(new Set(after?.names)).toEqual(
      new Set(before?.names.map(n => (/^\d/.test(n) ? '198.18.0.1' : 'other.example'))),
    )
    const parsed = new X509Certificate(made)
    expect(parsed.verify(parsed.publicKey)).toBe(true)
    expect([parsed.subject, parsed.issuer]).toEqual(['CN=redacted', 'CN=redacted'])
    expect(renameCertificates(pem, name => name)).toBe(renameCertificates(pem, name => name))
  })

  test('any other thing in PEM is emptied', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'
    expect(renameCertificates(`a ${key} b`, name => name)).toBe(
      'a -----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY----- b',
    )
  })
})

test('the vocabulary is that of the code', () => {
  execFileSync(process.execPath, [join(root, 'scripts/generate-vocabulary.mjs'), '--check'])
})
