import { EXIT, type ExitCode, FleetctlError } from '../errors.ts'

/** Why a request to an API server did not give what was asked; each leads to another remedy, so they are never mixed up. */
export type Failure =
  /** 401: no, an expired or an unknown credential. */
  | 'unauthorized'
  /** No credential could be had: exec plugin, token file, OIDC refresh. */
  | 'credentials'
  /** 403 by RBAC. */
  | 'forbidden'
  /** The API server does not serve the kind. */
  | 'not-served'
  /** The kind is served, the object is not there. */
  | 'not-found'
  /** 409: changed by somebody else, or field ownership in server-side apply. */
  | 'conflict'
  /** 400 or 422, or an admission webhook said no. */
  | 'rejected'
  /** Nobody answers at the address. */
  | 'unreachable'
  /** The connection broke in the middle of a request, each time. */
  | 'broken'
  /** The certificate of the server is not trusted, or is for another name. */
  | 'untrusted'
  /** 429 after all tries. */
  | 'throttled'
  | 'timeout'
  /** 410: a continue token or a resourceVersion is too old. */
  | 'expired'
  /** 5xx after all tries. */
  | 'server-error'
  /** The answer is not what the API promises: cut JSON, a proxy's HTML page. */
  | 'bad-answer'
  /** Stopped by the user. */
  | 'aborted'

/** What was asked of which API server; only names, never data. */
export interface Asked {
  /** How the user knows the API server: `hub`, or a ManagedCluster's name. */
  readonly cluster: string
  /** Address without path and credentials. */
  readonly server: string
  readonly verb: string
  /** `plural.group`; empty for discovery and other non-resource paths. */
  readonly resource: string
  readonly namespace: string
  readonly name: string
  /** Non-resource path, e.g. `/version`. */
  readonly path: string
}

const EXIT_CODES: Readonly<Record<Failure, ExitCode>> = {
  unauthorized: EXIT.unreachable,
  credentials: EXIT.unreachable,
  forbidden: EXIT.incomplete,
  'not-served': EXIT.incomplete,
  'not-found': EXIT.incomplete,
  conflict: EXIT.refused,
  rejected: EXIT.refused,
  unreachable: EXIT.unreachable,
  broken: EXIT.unreachable,
  untrusted: EXIT.unreachable,
  throttled: EXIT.unreachable,
  timeout: EXIT.unreachable,
  expired: EXIT.incomplete,
  'server-error': EXIT.unreachable,
  'bad-answer': EXIT.unreachable,
  aborted: EXIT.interrupted,
}

export interface KubeErrorOptions extends ErrorOptions {
  readonly status?: number
  readonly retryAfterMs?: number
  /** May the same read be tried again? */
  readonly retryable?: boolean
}

/** A request that failed, in one line: what, on which cluster, why; `hint` says what to do. */
export class KubeError extends FleetctlError {
  readonly failure: Failure
  readonly asked: Asked
  /** The sentence without the advice: what a coverage note quotes. */
  readonly reason: string
  readonly hint: string
  /** HTTP status, 0 where no answer came. */
  readonly status: number
  readonly retryAfterMs: number | undefined
  readonly retryable: boolean

  constructor(failure: Failure, asked: Asked, why: string, options: KubeErrorOptions = {}) {
    const reason = `cannot ${describe(asked)}: ${why}`
    const hint = hintFor(failure, asked)
    super(hint === '' ? reason : `${reason}. ${hint}`, EXIT_CODES[failure], options)
    this.failure = failure
    this.asked = asked
    this.reason = reason
    this.hint = hint
    this.status = options.status ?? 0
    this.retryAfterMs = options.retryAfterMs
    this.retryable = options.retryable ?? false
  }
}

/** Whole-server failures: when one list ends like this, the next one would too. */
export function isServerFailure(failure: Failure): boolean {
  return failure === 'unauthorized' || failure === 'credentials' || failure === 'unreachable' || failure === 'untrusted'
}

/** `list secrets in namespace "x" on spoke "sno"`: what was asked, in words. */
function describe(asked: Asked): string {
  const place = asked.cluster === 'hub' ? ' on the hub' : ` on spoke "${asked.cluster}"`
  if (asked.resource === '') return `${asked.verb} ${asked.path}${place}`
  const name = asked.name === '' ? '' : ` "${asked.name}"`
  const namespace = asked.namespace === '' ? '' : ` in namespace "${asked.namespace}"`
  return `${asked.verb} ${asked.resource}${name}${namespace}${place}`
}

function hintFor(failure: Failure, asked: Asked): string {
  switch (failure) {
    case 'unauthorized':
      return 'log in again (oc login, kubectl with your plugin) or pass --token, then run the command again'
    case 'credentials':
      return 'run the plugin by hand to see what it needs, or pass --token'
    case 'forbidden':
      return 'see fleetctl rbac --for doctor for the rules that are needed'
    case 'unreachable':
      return `check the address ${asked.server}, the VPN and HTTPS_PROXY/NO_PROXY`
    case 'broken':
      return 'run the command again; if it stays so, look at the proxies and load balancers on the way'
    case 'untrusted':
      return 'pass --certificate-authority with the issuer of the server, or --tls-server-name'
    case 'throttled':
      return 'wait, or read more slowly with --concurrency 1'
    case 'timeout':
      return 'raise --request-timeout, or look at the load of the API server'
    case 'bad-answer':
      return 'check that the address is an API server and no login page or proxy is in between'
    case 'conflict':
      return 'read the object again and make a new plan'
    default:
      return ''
  }
}
