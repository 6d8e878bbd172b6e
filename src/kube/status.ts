import { isObject, text, textAt } from '../raw.ts'
import { type Asked, type Failure, KubeError } from './errors.ts'

const MOST_MESSAGE = 600
const RETRYABLE = new Set([429, 500, 502, 503, 504])

/** Turns an answer other than 2xx into the error that tells what happened. */
export function errorOf(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
  asked: Asked,
): KubeError {
  const answer = parseStatus(body)
  const why = clean(answer.message)
  const retryAfterMs = retryAfter(headers['retry-after'], Date.now())
  const more = { status, retryable: RETRYABLE.has(status), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  const fail = (failure: Failure, reason: string): KubeError => new KubeError(failure, asked, reason, more)
  const denied = /admission webhook "([^"]+)" denied the request(.*)/s.exec(why)
  if (denied !== null) return fail('rejected', `admission webhook ${denied[1]} refused it${denied[2] ?? ''}`)
  switch (status) {
    case 401:
      return fail('unauthorized', 'the API server does not accept the credentials (none, expired or unknown)')
    case 403:
      return fail('forbidden', forbiddenReason(asked, why))
    case 404:
      return answer.isStatus && answer.objectName !== '' && asked.name !== ''
        ? fail('not-found', 'there is no such object')
        : fail('not-served', 'the API server does not serve it')
    case 405:
      return fail('not-served', `the API server does not offer ${asked.verb} for it`)
    case 409:
      return fail('conflict', why || 'the object was changed in the meantime')
    case 410:
      return fail('expired', 'the list took longer than the API server keeps its state')
    case 400:
    case 413:
    case 415:
    case 422:
      return fail('rejected', why || `the API server answered ${status}`)
    case 429:
      return fail('throttled', 'the API server is throttling (429 Too Many Requests)')
    default:
      return answer.isStatus || status >= 500
        ? fail('server-error', `the API server answered ${status}${why === '' ? '' : `: ${why}`}`)
        : fail('bad-answer', `answer ${status} that is not from a Kubernetes API server`)
  }
}

/** `Retry-After` in seconds or as a date, in milliseconds from `now`; undefined where absent or unreadable. */
export function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** One line without control characters, cut to a readable length: text from a server is never trusted on a terminal. */
export function clean(message: string): string {
  const line = message.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  return line.length > MOST_MESSAGE ? `${line.slice(0, MOST_MESSAGE)}…` : line
}

function forbiddenReason(asked: Asked, why: string): string {
  const user = /User "([^"]*)"/.exec(why)?.[1]
  const who = user === undefined ? 'forbidden' : `forbidden for user "${user}"`
  if (asked.resource === '') return `${who} (need: ${asked.verb} ${asked.path})`
  // A 403 that is no verdict of RBAC (a terminating namespace, a quota) keeps its own words.
  if (why !== '' && user === undefined) return `${who}: ${why}`
  return `${who} (need: ${asked.verb} ${asked.resource})`
}

interface StatusAnswer {
  readonly isStatus: boolean
  readonly message: string
  readonly objectName: string
}

function parseStatus(body: Buffer): StatusAnswer {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (isObject(value) && value.kind === 'Status') {
      return { isStatus: true, message: text(value.message), objectName: textAt(value.details, 'name') }
    }
  } catch {
    // Not JSON: a proxy's page or plain text. Its content is not repeated, it may be anything.
  }
  return { isStatus: false, message: '', objectName: '' }
}
