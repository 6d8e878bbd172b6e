import { type Asked, KubeError } from './errors.ts'
import { proxyText } from './proxy.ts'
import { RequestStopped } from './request.ts'

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the name of the server cannot be resolved',
  EAI_AGAIN: 'the name of the server cannot be resolved at the moment',
  EHOSTUNREACH: 'no route to the server',
  ENETUNREACH: 'the network is unreachable',
  EADDRNOTAVAIL: 'no local address to connect from',
  ETIMEDOUT: 'no connection within the time of the operating system',
}

/** Ends of a connection that was there. */
const BROKEN: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ECONNABORTED: 'the connection was aborted',
  Z_BUF_ERROR: 'the answer was cut off',
  Z_DATA_ERROR: 'the answer was garbled',
}
const BROKEN_TEXT = /closed|hang up|aborted|unexpected end/i

/** Node's codes for a server certificate that does not hold (deps/openssl X509_V_ERR_*, and its own name check). */
const UNTRUSTED: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the authority of its certificate is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the authority of its certificate is not known',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet (is the clock right?)',
  CERT_SIGNATURE_FAILURE: 'its certificate is not signed by the given authority',
  CERT_UNTRUSTED: 'its certificate is not trusted',
  CERT_REJECTED: 'its certificate is rejected',
  CERT_REVOKED: 'its certificate is revoked',
  INVALID_CA: 'its certificate comes from something that is no authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  HOSTNAME_MISMATCH: 'its certificate is for another name',
}

/** Turns whatever ended a request without an answer into the error that tells what happened. */
export function networkError(error: unknown, asked: Asked, proxy: URL | undefined): KubeError {
  if (error instanceof KubeError) return error
  const via = proxy === undefined ? '' : ` through proxy ${proxyText(proxy)}`
  if (error instanceof RequestStopped) {
    if (error.phase === 'aborted') return new KubeError('aborted', asked, 'stopped', { cause: error })
    if (error.phase === 'too large') return new KubeError('bad-answer', asked, error.message, { cause: error })
    if (error.phase === 'connect') {
      return new KubeError('unreachable', asked, `${error.message} to ${asked.server}${via}`, {
        cause: error,
        retryable: true,
      })
    }
    // The overall limit is the user's own, another try would break it; a hang may be one bad connection.
    return new KubeError('timeout', asked, error.message, { cause: error, retryable: error.phase !== 'total' })
  }
  const code = codeOf(error)
  const untrusted = UNTRUSTED[code]
  if (untrusted !== undefined) {
    return new KubeError('untrusted', asked, `${asked.server} is not trusted: ${untrusted}`, { cause: error })
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return /ALERT|HANDSHAKE_FAILURE/i.test(code) && /CERT|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE/i.test(code)
      ? new KubeError('unauthorized', asked, `${asked.server} does not accept the client certificate`, { cause: error })
      : new KubeError('unreachable', asked, `${asked.server} does not speak TLS as expected${via}`, { cause: error })
  }
  const at = `(${asked.server}${via})`
  const message = error instanceof Error ? error.message : ''
  const brokenBy = BROKEN[code] ?? (BROKEN_TEXT.test(message) ? 'the connection broke' : undefined)
  if (brokenBy !== undefined) {
    return new KubeError('broken', asked, `${brokenBy} ${at}`, { cause: error, retryable: true })
  }
  const refused = /^Bad response: (\d+)/.exec(message)?.[1]
  const why = refused === undefined ? (UNREACHABLE[code] ?? 'connection failed') : `the proxy answered ${refused}`
  // A refused or unknown address stays so within our few seconds; a name may fail for a moment only.
  return new KubeError('unreachable', asked, `${why} ${at}`, { cause: error, retryable: code === 'EAI_AGAIN' })
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  // Several addresses of one name were tried; they mostly fail alike.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return codeOf(error.cause)
}
