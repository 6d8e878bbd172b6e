import { createServer, type Server } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Connection } from '../../src/kube/connection.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { resolveTarget } from '../../src/kube/target.ts'
import { type CaptureServer, startCaptureServer } from '../support/capture-server.ts'
import { pki } from '../support/pki.ts'

let target: CaptureServer
let proxy: Server | undefined
beforeAll(async () => {
  target = await startCaptureServer()
})
afterEach(() => {
  proxy?.closeAllConnections()
  proxy?.close()
})
afterAll(() => target.stop())

interface Seen {
  readonly to: string
  readonly authorization: string
}

/** A proxy that leads every CONNECT to the same server, whatever its name; `status` refuses instead. */
async function startProxy(status = 200): Promise<{ readonly port: number; readonly seen: Seen[] }> {
  const seen: Seen[] = []
  proxy = createServer()
  proxy.on('connect', (request, socket) => {
    seen.push({ to: request.url ?? '', authorization: request.headers['proxy-authorization'] ?? '' })
    socket.on('error', () => {})
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      return
    }
    const up = net.connect(target.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(up).pipe(socket)
    })
    up.on('error', () => socket.destroy())
  })
  await new Promise<void>(resolve => proxy?.listen(0, '127.0.0.1', resolve))
  return { port: (proxy.address() as AddressInfo).port, seen }
}

async function get(env: Readonly<Record<string, string>>, proxyUrl = ''): Promise<unknown> {
  const place = { env: {}, home: '/nowhere' }
  const flags = { server: 'https://kube.example.test:6443', token: 't', certificateAuthority: pki('ca.crt') }
  const plain = resolveTarget(loadKubeconfig(place), flags, place)
  const connection = new Connection({ ...plain, cluster: { ...plain.cluster, proxyUrl } }, { env })
  const asked = {
    cluster: 'hub',
    server: connection.server,
    verb: 'get',
    resource: '',
    namespace: '',
    name: '',
    path: '/api',
  }
  const call = { method: 'GET', path: '/api', asked, repeatable: true } as const
  try {
    await connection.json(call)
    return await connection.json(call)
  } finally {
    connection.close()
  }
}

const ANSWER = { kind: 'APIVersions', versions: ['v1'] }

describe('through a proxy', () => {
  it('named by HTTPS_PROXY, with user and password, over one kept connection', async () => {
    const { port, seen } = await startProxy()
    expect(await get({ HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${port}` })).toEqual(ANSWER)
    const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    expect(seen).toEqual([{ to: 'kube.example.test:6443', authorization: basic }])
    expect(target.captured.at(-1)).toMatchObject({ authorization: 'Bearer t', serverName: 'kube.example.test' })
  })

  it("named by the kubeconfig's proxy-url, which NO_PROXY does not stop", async () => {
    const { port, seen } = await startProxy()
    expect(await get({ NO_PROXY: '*' }, `http://127.0.0.1:${port}`)).toEqual(ANSWER)
    expect(seen).toHaveLength(1)
  })

  it('that refuses: the error names it, without its password', async () => {
    const { port } = await startProxy(407)
    const error = await get({ HTTPS_PROXY: `http://me:secret@127.0.0.1:${port}` }).catch((e: unknown) => e)
    expect(error).toMatchObject({
      failure: 'unreachable',
      reason: expect.stringContaining(
        `the proxy answered 407 (https://kube.example.test:6443 through proxy http://127.0.0.1:${port})`,
      ),
    })
    expect(String(error)).not.toContain('secret')
  })

  it('that is not there', async () => {
    await expect(get({ HTTPS_PROXY: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      failure: 'unreachable',
      reason: expect.stringContaining('through proxy http://127.0.0.1:1'),
    })
  })
})
