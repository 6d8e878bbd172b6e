import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Connection, type ConnectionOptions } from '../../src/kube/connection.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { type KubeOverrides, resolveTarget } from '../../src/kube/target.ts'
import { findBinaries } from '../apiserver/binaries.mjs'
import { type Captured, type CaptureServer, startCaptureServer } from '../support/capture-server.ts'
import { pki } from '../support/pki.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleetctl-identity-'))
const kubeconfig = join(folder, 'kubeconfig')
const tokenFile = join(folder, 'token')
const runs = join(folder, 'runs')
let server: CaptureServer

/** A plugin that notes its runs and gives `token-N`, or what its arguments say. */
const PLUGIN = `
const fs = require('node:fs')
fs.appendFileSync(${JSON.stringify(runs)}, process.env.KUBERNETES_EXEC_INFO + '\\n')
const n = fs.readFileSync(${JSON.stringify(runs)}, 'utf8').trim().split('\\n').length
const [mode] = process.argv.slice(2)
if (mode === 'fail') { console.log('secret-output'); process.exit(3) }
if (mode === 'junk') { console.log('not json'); process.exit(0) }
if (mode === 'hang') setInterval(() => {}, 1000)
else {
  const { apiVersion } = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
  const status = { token: process.env.PREFIX + n }
  if (mode === 'short') status.expirationTimestamp = new Date(Date.now() + 3000).toISOString()
  if (mode === 'long') status.expirationTimestamp = new Date(Date.now() + 3600000).toISOString()
  if (mode === 'certificate') {
    delete status.token
    status.clientCertificateData = fs.readFileSync(${JSON.stringify(pki('client.crt'))}, 'utf8')
    status.clientKeyData = fs.readFileSync(${JSON.stringify(pki('client.key'))}, 'utf8')
  }
  setTimeout(() => console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion, status })), 50)
}
`

function exec(mode: string, more: object = {}): object {
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: [join(folder, 'plugin.cjs'), mode],
    env: [{ name: 'PREFIX', value: 'token-' }],
    interactiveMode: 'Never',
    ...more,
  }
}

beforeAll(async () => {
  server = await startCaptureServer()
  writeFileSync(join(folder, 'plugin.cjs'), PLUGIN)
  writeFileSync(tokenFile, 'token-from-file\n')
  const ca = pki('ca.crt')
  const users: Record<string, object> = {
    token: { token: 'static-token' },
    file: { tokenFile: 'token' },
    basic: { username: 'joe', password: 'pass:word' },
    certificate: { 'client-certificate': pki('client.crt'), 'client-key': pki('client.key') },
    'certificate-data': {
      'client-certificate-data': readFileSync(pki('client.crt')).toString('base64'),
      'client-key-data': readFileSync(pki('client.key')).toString('base64'),
    },
    impersonating: {
      token: 't',
      as: 'jane',
      'as-uid': '7',
      'as-groups': ['devs', 'ops'],
      'as-user-extra': { 'example.com/Team': ['a', 'b'], plain: ['c'] },
    },
    exec: { exec: exec('plain') },
    'exec-short': { exec: exec('short') },
    'exec-long': { exec: exec('long') },
    'exec-certificate': { exec: exec('certificate') },
    'exec-info': { exec: exec('plain', { provideClusterInfo: true }) },
    'exec-beta': {
      exec: exec('plain', { apiVersion: 'client.authentication.k8s.io/v1beta1', interactiveMode: undefined }),
    },
    'exec-fail': { exec: exec('fail') },
    'exec-junk': { exec: exec('junk') },
    'exec-hang': { exec: exec('hang') },
    'exec-always': { exec: exec('plain', { interactiveMode: 'Always' }) },
    'exec-absent': { exec: exec('plain', { command: 'no-such-plugin', installHint: 'get it from the shop' }) },
    oidc: {
      'auth-provider': {
        name: 'oidc',
        config: { 'id-token': `e30.${Buffer.from('{"exp":9999999999}').toString('base64url')}.x` },
      },
    },
  }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'token',
    clusters: [
      { name: 'hub', cluster: { server: `${server.url}/hub`, 'certificate-authority': ca } },
      {
        name: 'named',
        cluster: { server: `${server.url}/named`, 'certificate-authority': ca, 'tls-server-name': 'kube.example.test' },
      },
      { name: 'blind', cluster: { server: `${server.url}/blind`, 'insecure-skip-tls-verify': true } },
      {
        name: 'wrong-authority',
        cluster: { server: `${server.url}/wrong`, 'certificate-authority': pki('stranger-ca.crt') },
      },
      {
        name: 'wrong-name',
        cluster: { server: server.url, 'certificate-authority': ca, 'tls-server-name': 'other.example.test' },
      },
    ],
    users: Object.entries(users).map(([name, user]) => ({ name, user })),
    contexts: Object.keys(users).map(name => ({ name, context: { cluster: 'hub', user: name } })),
  }
  writeFileSync(kubeconfig, JSON.stringify(config))
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const place = { env: { ...process.env, KUBECONFIG: kubeconfig }, home: folder }

function connect(flags: KubeOverrides, options: ConnectionOptions = {}): Connection {
  return new Connection(resolveTarget(loadKubeconfig(place), flags, place), { env: place.env, ...options })
}

function get(connection: Connection): Promise<unknown> {
  const { cluster, server: address } = connection
  const asked = { cluster, server: address, verb: 'get', resource: '', namespace: '', name: '', path: '/api' }
  return connection.json({ method: 'GET', path: '/api', asked, repeatable: true })
}

async function captured(send: () => Promise<unknown>): Promise<readonly Captured[]> {
  server.captured.length = 0
  writeFileSync(runs, '')
  await send()
  return [...server.captured]
}

async function ours(flags: KubeOverrides): Promise<Captured | undefined> {
  const connection = connect(flags)
  try {
    return (await captured(() => get(connection)))[0]
  } finally {
    connection.close()
  }
}

const FLAG: Readonly<Record<string, string>> = {
  as: 'as',
  asGroups: 'as-group',
  asUid: 'as-uid',
  server: 'server',
  token: 'token',
  tlsServerName: 'tls-server-name',
  insecureSkipTlsVerify: 'insecure-skip-tls-verify',
  certificateAuthority: 'certificate-authority',
  clientCertificate: 'client-certificate',
  clientKey: 'client-key',
  context: 'context',
  cluster: 'cluster',
  user: 'user',
}

async function kubectls(flags: KubeOverrides): Promise<Captured | undefined> {
  const args = Object.entries(flags).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map(v => `--${FLAG[key]}=${v}`),
  )
  const kubectl = join(findBinaries() ?? '', 'kubectl')
  const run = () =>
    promisify(execFile)(kubectl, ['get', '--raw', '/api', ...args], { env: { ...place.env, HOME: folder } })
  return (await captured(run))[0]
}

const CASES: readonly (readonly [string, KubeOverrides])[] = [
  ['token', {}],
  ['token file', { context: 'file' }],
  ['basic auth', { context: 'basic' }],
  ['client certificate', { context: 'certificate' }],
  ['client certificate as data', { context: 'certificate-data' }],
  ['impersonation from the file', { context: 'impersonating' }],
  ['exec plugin', { context: 'exec' }],
  ['exec plugin, v1beta1', { context: 'exec-beta' }],
  ['exec plugin with a certificate', { context: 'exec-certificate' }],
  ['--cluster', { cluster: 'named' }],
  ['--user', { user: 'basic' }],
  ['--token', { token: 'mine' }],
  ['--token instead of a plugin', { context: 'exec', token: 'mine' }],
  ['--as', { as: 'jane' }],
  ['--as with groups and uid', { as: 'jane', asGroups: ['g1', 'g2'], asUid: '42' }],
  ['--as over the file', { context: 'impersonating', as: 'joe' }],
  ['--as-group over the file', { context: 'impersonating', asGroups: ['only'] }],
  ['--insecure-skip-tls-verify', { cluster: 'wrong-authority', insecureSkipTlsVerify: true }],
  ['--certificate-authority', { cluster: 'wrong-authority', certificateAuthority: pki('ca.crt') }],
  ['--tls-server-name', { tlsServerName: 'kube.example.test' }],
  ['--client-certificate', { user: 'basic', clientCertificate: pki('client.crt'), clientKey: pki('client.key') }],
]

describe.skipIf(findBinaries() === undefined)('the server sees of us what it sees of kubectl', () => {
  it.each(CASES)('%s', async (_, flags) => {
    const expected = await kubectls(flags)
    expect(expected).toBeDefined()
    expect(await ours(flags)).toEqual(expected)
  })

  it('a plugin learns the same about the cluster', async () => {
    const flags = { context: 'exec-info' }
    await kubectls(flags)
    const theirs: unknown = JSON.parse(readFileSync(runs, 'utf8'))
    await ours(flags)
    expect(JSON.parse(readFileSync(runs, 'utf8'))).toEqual(theirs)
  })

  it('--server', async () => {
    const flags = { cluster: 'named', server: `${server.url}/elsewhere` }
    expect(await ours(flags)).toEqual(await kubectls(flags))
  })
})

describe('exec plugins', () => {
  const runCount = (): number => readFileSync(runs, 'utf8').split('\n').filter(Boolean).length
  const several = async (flags: KubeOverrides, options?: ConnectionOptions): Promise<readonly string[]> => {
    const connection = connect(flags, options)
    const seen = await captured(async () => {
      await Promise.all([get(connection), get(connection), get(connection)])
      await get(connection)
    })
    connection.close()
    return seen.map(c => c.authorization)
  }

  it('run once for many requests, also when the credential has no end', async () => {
    expect(new Set(await several({ context: 'exec' }))).toEqual(new Set(['Bearer token-1']))
    expect(runCount()).toBe(1)
    await several({ context: 'exec-long' })
    expect(runCount()).toBe(1)
  })

  it('run once for all connections to one target, such as those of a fleet that is read again', async () => {
    const target = resolveTarget(loadKubeconfig(place), { context: 'exec-long' }, place)
    const seen = await captured(async () => {
      for (let i = 0; i < 3; i++) {
        const connection = new Connection(target, { env: place.env })
        await get(connection)
        connection.close()
      }
    })
    expect(seen.map(c => c.authorization)).toEqual(Array(3).fill('Bearer token-1'))
    expect(runCount()).toBe(1)
  })

  it('run again when the credential is about to end', async () => {
    expect((await several({ context: 'exec-short' })).at(-1)).toBe('Bearer token-2')
  })

  it('run again after a 401, once', async () => {
    const connection = connect({ context: 'exec-long' })
    const seen = await captured(async () => {
      await get(connection)
      server.answer = (request, response) => {
        if (request.headers.authorization !== 'Bearer token-1') return false
        response.writeHead(401).end()
        return true
      }
      await Promise.all([get(connection), get(connection)])
    })
    expect(seen.map(c => c.authorization).sort()).toEqual([
      ...Array(3).fill('Bearer token-1'),
      ...Array(2).fill('Bearer token-2'),
    ])
    expect(runCount()).toBe(2)
    server.answer = (_, response) => {
      response.writeHead(401).end()
      return true
    }
    await expect(get(connection)).rejects.toMatchObject({ failure: 'unauthorized', exitCode: 4 })
    server.answer = undefined
    connection.close()
  })

  it('learn about the cluster where the kubeconfig says so, and that there is no terminal', async () => {
    const info = async (context: string): Promise<unknown> => {
      await ours({ context })
      return JSON.parse(readFileSync(runs, 'utf8'))
    }
    const apiVersion = 'client.authentication.k8s.io/v1'
    expect(await info('exec')).toEqual({ kind: 'ExecCredential', apiVersion, spec: { interactive: false } })
    const cluster = {
      server: `${server.url}/hub`,
      'certificate-authority-data': readFileSync(pki('ca.crt')).toString('base64'),
      config: null,
    }
    expect(await info('exec-info')).toEqual({
      kind: 'ExecCredential',
      apiVersion,
      spec: { cluster, interactive: false },
    })
  })

  it.each([
    ['exec-fail', /no credentials for user "exec-fail": exec plugin .* failed with exit code 3/],
    ['exec-junk', /did not print an ExecCredential/],
    ['exec-absent', /exec plugin "no-such-plugin" is not installed; get it from the shop/],
    ['exec-always', /there is no terminal/],
    ['exec-hang', /gave no answer within 0.3 s/],
  ])('%s: the error says what is wrong, and nothing that the plugin printed', async (context, message) => {
    const connection = connect({ context }, { execTimeoutMs: 300 })
    const error = await get(connection).catch((e: unknown) => e)
    expect(error).toMatchObject({ failure: 'credentials', exitCode: 4, message: expect.stringMatching(message) })
    expect(String(error)).not.toContain('secret-output')
  })
})

describe('credentials', () => {
  it('reads a token file again after a 401', async () => {
    const connection = connect({ context: 'file' })
    await get(connection)
    writeFileSync(tokenFile, 'rotated')
    server.answer = (request, response) => {
      if (request.headers.authorization === 'Bearer rotated') return false
      response.writeHead(401).end()
      return true
    }
    const seen = await captured(() => get(connection))
    server.answer = undefined
    writeFileSync(tokenFile, 'token-from-file\n')
    expect(seen.map(c => c.authorization)).toEqual(['Bearer token-from-file', 'Bearer rotated'])
    connection.close()
  })

  it('uses the token of an auth-provider', async () => {
    expect((await ours({ context: 'oidc' }))?.authorization).toMatch(/^Bearer e30\./)
  })

  it('lets --token replace a client certificate, which kubectl would still send', async () => {
    expect(await ours({ context: 'certificate', token: 'mine' })).toMatchObject({
      authorization: 'Bearer mine',
      certificate: '',
    })
  })

  it('sends no credentials over plain http', async () => {
    let authorization: string | undefined = 'nothing came'
    const plain = createServer((request, response) => {
      authorization = request.headers.authorization
      response.end('{}')
    })
    await new Promise<void>(resolve => plain.listen(0, '127.0.0.1', resolve))
    const address = plain.address()
    const connection = connect({ server: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` })
    await get(connection)
    expect(authorization).toBeUndefined()
    connection.close()
    plain.close()
  })

  it.each([
    ['wrong-authority', /not trusted: its certificate comes from an authority|not trusted: .*/],
    ['wrong-name', /not trusted: its certificate is for another name/],
  ])('%s: says that the server is not trusted', async (cluster, message) => {
    await expect(get(connect({ cluster }))).rejects.toMatchObject({
      failure: 'untrusted',
      exitCode: 4,
      message: expect.stringMatching(message),
    })
  })
})
