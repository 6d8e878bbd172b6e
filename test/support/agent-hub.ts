import type { RawObject } from '../../src/raw.ts'
import { AgentLab, baseObjects, GOC, PLACEMENT, snapshotOf } from './agent-lab.ts'
import { type ApiServers, startApiServers } from './apiserver.ts'
import { BootstrapHub } from './bootstrap-hub.ts'
import { LiveCli } from './live-cli.ts'

/** Flags by which tests choose clusters and names; those of what was recorded of ACM. */
export const CHOICE = ['--set', 'edge', '--clusters', 'bm,sno', '--placement', PLACEMENT, '--gitopscluster', GOC]
export const GIT = [
  ...['--repo-url', 'https://git.example.test/fleet.git', '--path', 'apps/{{name}}'],
  ...['--appset', 'edge-agent'],
]
export const LIMIT = ['--yes', '--timeout', '90s']

/** A hub on a real API server, before a switch to agents, on which every controller has looked once. */
export interface AgentTestHub {
  readonly servers: ApiServers
  readonly hub: BootstrapHub
  readonly cli: LiveCli
  /** Not started: until then nothing acts on its own. */
  readonly lab: AgentLab
  /** What is there when nothing moves any more. For a lab that was started. */
  settled(): Promise<ReadonlyMap<string, RawObject>>
  stop(): Promise<void>
}

/** @param prepare makes further objects before the controllers look */
export async function startAgentHub(
  prepare: (hub: BootstrapHub) => Promise<void> = async () => {},
): Promise<AgentTestHub> {
  const servers = await startApiServers({ clusters: ['hub'] })
  const hub = new BootstrapHub(servers.server('hub'))
  await hub.installDefinitions()
  await snapshotOf(hub)
  for (const object of baseObjects()) await hub.create(object)
  await prepare(hub)
  const lab = new AgentLab(hub)
  await lab.once()
  const cli = new LiveCli(servers.server('hub').kubeconfig)
  return {
    servers,
    hub,
    cli,
    lab,
    async settled() {
      await new Promise(resolve => setTimeout(resolve, 2_000))
      return snapshotOf(hub)
    },
    async stop() {
      await lab.stop()
      cli.end()
      await servers.stop()
    },
  }
}

/** A hub that was switched, and all that is on it then. */
export interface SwitchedTestHub extends AgentTestHub {
  readonly whole: ReadonlyMap<string, RawObject>
}

/** The same after a switch to agents beside a controller that goes on, with an ApplicationSet for agents. */
export async function startSwitchedHub(): Promise<SwitchedTestHub> {
  const started = await startAgentHub()
  started.lab.start()
  const done = await started.cli.run(['agent', 'enable', ...CHOICE, ...GIT, '--setup', 'hybrid', ...LIMIT])
  if (done.code !== 0) throw new Error(done.stderr)
  return { ...started, whole: await started.settled() }
}
