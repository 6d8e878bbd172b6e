import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { keptOfConfig, readConfig } from '../../src/fleet/cluster-config.ts'
import { pki } from '../support/pki.ts'

const PEM = readFileSync(pki('server.crt'), 'utf8')
const KEY = readFileSync(pki('server.key'), 'utf8')
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')
/** What openssl x509 -dates says of test/support/pki/server.crt. */
const VALID = { notBefore: Date.parse('2020-01-01T00:00:00Z'), notAfter: Date.parse('2120-01-01T00:00:00Z') }

/** As argo-cd pkg/apis/application/v1alpha1 ClusterConfig is written: certificates and keys as base64 of PEM. */
const CONFIG = JSON.stringify({
  username: 'CANARY-user',
  password: 'CANARY-password',
  bearerToken: 'CANARY-token',
  tlsClientConfig: { insecure: false, certData: base64(PEM), keyData: base64(KEY), caData: base64(`${PEM}\n${KEY}`) },
})

describe('of the config of a cluster secret', () => {
  test('the times of its certificates are read, and whether it checks the server', () => {
    expect(readConfig(CONFIG)).toEqual({ insecure: false, client: VALID, authority: VALID })
    expect(readConfig('{"tlsClientConfig":{"insecure": true}}')).toMatchObject({ insecure: true, client: undefined })
  })

  test('nothing but these is kept, and the same is read of it', () => {
    const kept = keptOfConfig(CONFIG)
    expect(readConfig(kept)).toEqual(readConfig(CONFIG))
    expect(keptOfConfig(kept)).toBe(kept)
    for (const secret of ['CANARY', 'BEGIN', base64(PEM).slice(0, 40), base64(KEY).slice(0, 40)])
      expect(kept).not.toContain(secret)
  })

  test('nothing is kept where there is nothing to say', () => {
    expect(keptOfConfig('{"bearerToken":"CANARY","tlsClientConfig":{"caData":"CANARY"}}')).toBe('')
  })

  test.each([
    '',
    'CANARY',
    '{"tlsClientConfig":',
    '{"tlsClientConfig":{"certData":5,"caData":null}}',
    '{"caData":[1],"fleetctl.io/validity":{"client":["a"],"authority":7}}',
    '["certData","caData"]',
    `{"tlsClientConfig":{"certData":"${base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')}"}}`,
  ])('%s is no config with certificates', text => {
    expect(readConfig(text)).toEqual({ insecure: false, client: undefined, authority: undefined })
  })
})
