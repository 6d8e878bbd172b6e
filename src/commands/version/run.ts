import { API_VERSION } from '../../checks/report.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import type { VersionInfo } from '../../output/documents.ts'
import type { View } from '../../output/view.ts'
import { VERSION } from '../../version.ts'
import type { Call } from '../call.ts'
import { produce } from '../produce.ts'

const VERSION_VIEW: View<VersionInfo> = {
  what: 'version',
  forms: {
    text: async () => info => `fleetctl ${info.client.version} (node ${info.client.node}, ${info.client.platform})\n`,
  },
  rows: info => [info.client],
  rowKind: 'ClientVersion',
  names: () => [],
}

/** `fleetctl version`. */
export async function version(call: Call): Promise<ExitCode> {
  const client = { version: VERSION, node: process.versions.node, platform: `${process.platform}-${process.arch}` }
  return produce(call, {
    view: VERSION_VIEW,
    doing: 'Reading versions',
    run: async (): Promise<VersionInfo> => ({ apiVersion: API_VERSION, kind: 'Version', client }),
    exitCode: () => EXIT.ok,
  })
}
