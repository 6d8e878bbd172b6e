import { API_VERSION } from '../checks/report.ts'
import { FleetctlError } from '../errors.ts'
import { VERSION } from '../version.ts'
import type { ErrorDocument } from './documents.ts'
import { toJson, toJsonLines } from './json.ts'

/**
 * An error in the words of a machine format, so that a script that parses stdout always finds a document there. Undefined for
 * formats that have no words for it, and for an error of fleetctl's own, which is no result of any kind.
 */
export async function errorIn(format: string, error: unknown): Promise<string | undefined> {
  if (!(error instanceof FleetctlError)) return undefined
  const document: ErrorDocument = {
    apiVersion: API_VERSION,
    kind: 'Error',
    version: VERSION,
    message: error.message,
    exitCode: error.exitCode,
  }
  if (format === 'json') return toJson(document)
  if (format === 'yaml') return (await import('./yaml.ts')).toYaml(document)
  if (format === 'junit') return (await import('./junit.ts')).junitError(error.message)
  if (format !== 'jsonl') return undefined
  const { apiVersion: _, kind, ...row } = document
  return toJsonLines([row], kind)
}
