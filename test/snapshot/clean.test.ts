import { describe, expect, test } from 'vitest'
import { cleaned } from '../../src/snapshot/clean.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('what is never written', () => {
  test('values of a Secret, wherever it lies', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { password: base64('CANARY') } }
    const inside = [
      secret,
      // A ManifestWork that delivers it, and a Policy that makes it.
      { kind: 'ManifestWork', spec: { workload: { manifests: [{ kind: 'ConfigMap', data: { a: 'b' } }, secret] } } },
      {
        kind: 'Policy',
        spec: {
          'object-templates': [
            { objectDefinition: { ...secret, data: undefined, stringData: { password: 'CANARY' } } },
          ],
        },
      },
    ]
    for (const object of inside) {
      const text = JSON.stringify(cleaned(object))
      expect(text).toContain('"password":""')
      expect(text).not.toContain('CANARY')
      expect(text).not.toContain(base64('CANARY'))
    }
    expect(JSON.stringify(cleaned(inside[1] ?? {}))).toContain('{"kind":"ConfigMap","data":{"a":"b"}}')
    expect(secret.data.password).toBe(base64('CANARY'))
  })

  test('copies of the whole object, and the fields of managedFields', () => {
    const object = {
      kind: 'ConfigMap',
      metadata: {
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'CANARY', kept: 'yes' },
        managedFields: [{ manager: 'argocd-agent', time: '2026-11-30T16:00:30Z', fieldsV1: { 'f:data': 'CANARY' } }],
      },
    }
    expect(cleaned(object)).toEqual({
      kind: 'ConfigMap',
      metadata: {
        annotations: { kept: 'yes' },
        managedFields: [{ manager: 'argocd-agent', time: '2026-11-30T16:00:30Z' }],
      },
    })
  })

  test.each([
    ['https://ci:CANARY@git.example.com/a.git', 'https://***@git.example.com/a.git'],
    ['https://CANARY@git.example.com/a.git', 'https://***@git.example.com/a.git'],
    ['clone of http://x:CANARY@h/p failed', 'clone of http://***@h/p failed'],
    ['redis://user:CANARY@redis:6379', 'redis://***@redis:6379'],
    // Nothing secret is in these.
    ['ssh://git@github.com/a.git', 'ssh://git@github.com/a.git'],
    ['git@github.com:a/b.git', 'git@github.com:a/b.git'],
    ['https://example.com/users/@me', 'https://example.com/users/@me'],
    ['mail a@example.com', 'mail a@example.com'],
  ])('credentials in %s', (url, without) => {
    expect(cleaned({ repoURL: url, list: [url] })).toEqual({ repoURL: without, list: [without] })
  })

  test('settings that are called so', () => {
    const object = {
      kind: 'Deployment',
      env: [
        { name: 'REDIS_PASSWORD', value: 'CANARY' },
        { name: 'GITHUB_TOKEN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
        { name: 'ARGOCD_PRINCIPAL_JWT_SECRET_NAME', value: 'argocd-agent-jwt' },
      ],
      parameters: [
        { name: 'db.password', value: 'CANARY' },
        { name: 'db.apiKey', value: '{{values.key}}' },
      ],
    }
    expect(cleaned(object)).toEqual({
      ...object,
      env: [{ name: 'REDIS_PASSWORD', value: '***' }, ...object.env.slice(1)],
      parameters: [{ name: 'db.password', value: '***' }, object.parameters[1]],
    })
  })

  test('secrets in the configuration of a ConfigMap, but no references to Secrets', () => {
    const dex = 'connectors:\n- config:\n    clientID: abc\n    clientSecret: CANARY\n    other: $dex.ldap.bindPW'
    const data = {
      'dex.config': dex,
      'oidc.config': 'clientSecret: $oidc.secret',
      'webhook.github.secret': 'CANARY',
      url: 'https://a',
    }
    expect(cleaned({ kind: 'ConfigMap', data })).toEqual({
      kind: 'ConfigMap',
      data: { ...data, 'dex.config': dex.replace('CANARY', '***'), 'webhook.github.secret': '***' },
    })
  })
})
