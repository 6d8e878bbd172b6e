import { readFileSync } from 'node:fs'
import { until } from './until.ts'

/** One finished request as the API server's audit log tells it. */
export interface AuditEvent {
  readonly verb: string
  readonly user: string
  readonly resource: string
  readonly group: string
  readonly namespace: string
  readonly name: string
  readonly uri: string
  readonly status: number
}

type Request = (method: string, path: string) => Promise<unknown>

let sentinels = 0

/**
 * All requests of the log from number `from` on, but those of this helper and of the server itself. The server writes an entry after its answer, so a
 * request of our own is sent and awaited in the log first: what was finished before it is in the log then.
 */
export async function readAudit(file: string, request: Request, from: number): Promise<readonly AuditEvent[]> {
  const mark = `sentinel-${process.pid}-${++sentinels}`
  await request('GET', `/version?${mark}`)
  let log = ''
  await until(() => {
    log = readFileSync(file, 'utf8')
    return log.includes(mark)
  }, 'the audit log to keep up')
  return parse(log).slice(from)
}

function parse(log: string): readonly AuditEvent[] {
  const events: AuditEvent[] = []
  for (const line of log.split('\n')) {
    if (line === '' || line.includes('/version?sentinel-')) continue
    const event = JSON.parse(line)
    const { objectRef = {}, responseStatus = {}, user = {} } = event
    // The server talks to itself, too: its lease, its priority levels.
    if (user.username === 'system:apiserver') continue
    events.push({
      verb: event.verb,
      user: user.username ?? '',
      resource: objectRef.resource ?? '',
      group: objectRef.apiGroup ?? '',
      namespace: objectRef.namespace ?? '',
      name: objectRef.name ?? '',
      uri: event.requestURI,
      status: responseStatus.code ?? 0,
    })
  }
  return events
}
