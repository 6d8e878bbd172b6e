import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BINARY, ENV } from '../e2e/binary.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { recordedFleet } from '../support/fleets.ts'
import { loadFleet } from '../support/load-fleet.ts'
import { pki } from '../support/pki.ts'
import { hasPseudoTerminal, PseudoTerminal } from '../support/pseudo-terminal.ts'

let servers: ApiServers
let proxy: FaultProxy
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'] })
  await loadFleet(servers.servers, recordedFleet('pull-healthy'))
  // A slow link: every request takes 50 ms more.
  proxy = await startFaultProxy(servers.server('hub'), [{ fault: { kind: 'delay', ms: 50 } }])
}, START_TIMEOUT_MS)
afterAll(async () => {
  await proxy?.stop()
  await servers?.stop()
})

function terminal(args: string, more: Readonly<Record<string, string>> = {}): PseudoTerminal {
  const kubeconfig = join(servers.folder, 'slow.kubeconfig')
  const config = {
    'current-context': 'hub',
    clusters: [{ name: 'hub', cluster: { server: proxy.url, 'certificate-authority': pki('ca.crt') } }],
    users: [{ name: 'admin', user: { token: servers.token('admin') } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'admin' } }],
  }
  writeFileSync(kubeconfig, JSON.stringify(config))
  const env = { PATH: ENV.PATH ?? '', LANG: 'C.UTF-8', HOME: servers.folder, KUBECONFIG: kubeconfig, ...more }
  return new PseudoTerminal(`${process.execPath} ${BINARY} ${args}`, env)
}

/** Milliseconds until something is drawn. */
async function timeTo(args: string, what: string | RegExp): Promise<number> {
  const started = performance.now()
  const program = terminal(args)
  await program.see(what)
  const ms = performance.now() - started
  await program.exit
  return ms
}

describeWithApiServer('on a slow link', () => {
  it.skipIf(!hasPseudoTerminal || !existsSync(BINARY))(
    'says within a second of its start how far the reading is',
    async () => {
      const start = await timeTo('version', /\d+\.\d+\.\d+/)
      const first = await timeTo('doctor', /Reading the hub: [\d,]+ objects/)
      // A second where node starts in a third of one; a machine that does other things, too, gets as much more.
      expect(first - start).toBeLessThan(1_000 * Math.max(1, start / 333))
    },
  )

  it.skipIf(!hasPseudoTerminal || !existsSync(BINARY))('draws nothing under CI and nothing with --quiet', async () => {
    for (const program of [terminal('doctor', { CI: 'true' }), terminal('doctor -q')]) {
      await program.exit
      expect(program.text).not.toContain('Reading the hub')
    }
  })
})
