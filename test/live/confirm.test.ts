import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BINARY, ENV, requireBuild } from '../e2e/binary.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { BootstrapHub, EMPTY_HUB } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { LiveCli } from '../support/live-cli.ts'
import { hasPseudoTerminal, KEYS, PseudoTerminal } from '../support/pseudo-terminal.ts'

let servers: ApiServers
let hub: BootstrapHub
let cli: LiveCli
beforeAll(async () => {
  if (!hasApiServer) return
  requireBuild()
  servers = await startApiServers({ clusters: ['hub'] })
  hub = new BootstrapHub(servers.server('hub'))
  await hub.installDefinitions()
  for (const object of EMPTY_HUB) await hub.create(object)
  cli = new LiveCli(servers.server('hub').kubeconfig)
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await servers?.stop()
})

const ARGV = 'bootstrap clusterset demo --clusters bm,sno --no-wait'

function terminal(): PseudoTerminal {
  const { CI: _, ...env } = cli.env()
  return new PseudoTerminal(`${process.execPath} ${BINARY} ${ARGV}`, { PATH: ENV.PATH ?? '', LANG: 'C.UTF-8', ...env })
}

describeWithApiServer('the question before the first write', () => {
  describe.skipIf(!hasPseudoTerminal)('on a terminal', () => {
    it.each([
      ['no', ['n', KEYS.enter], 6],
      ['nothing, which is no', [KEYS.enter], 6],
      ['Ctrl-C', [KEYS.ctrlC], 130],
    ] as const)('answered with %s writes nothing', async (_, keys, code) => {
      const before = await hub.snapshot()
      const mark = await servers.server('hub').mark()
      const asked = terminal()
      await asked.see('Write 3 objects to hub')
      await asked.press(...keys)
      expect(await asked.exit).toBe(code)
      // The only writes that the server saw were rehearsals.
      const events = await servers.server('hub').audit(mark)
      const writes = events.filter(e => !['get', 'list', 'watch'].includes(e.verb))
      expect(writes.filter(e => !e.uri.includes('dryRun=All') && e.resource !== 'selfsubjectaccessreviews')).toEqual([])
      expect(await hub.snapshot()).toEqual(before)
      expect(JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout).runs).toEqual([])
    })

    it('answered with yes writes', async () => {
      const asked = terminal()
      await asked.see('Write 3 objects to hub')
      await asked.press('y', KEYS.enter)
      expect(await asked.exit).toBe(0)
      const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
      expect(runs).toMatchObject([{ state: 'done', written: 3 }])
    })
  })
})
