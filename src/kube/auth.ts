import { readFile } from 'node:fs/promises'
import { type ClientIdentity, NO_IDENTITY, readPem } from './agent.ts'
import { runExecPlugin } from './exec-plugin.ts'
import type { UserConfig } from './kubeconfig-file.ts'
import type { Clock } from './retry.ts'
import type { KubeTarget } from './target.ts'

/** What a request carries to show who sends it. Never log this. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly identity: ClientIdentity
}

/** Gives the credentials of one user; asks the costly sources once and keeps the answer while it holds. */
export interface Authenticator {
  /** @throws Error with a message for the user when no credentials can be had. */
  credentials(signal?: AbortSignal): Promise<Credentials>
  /** Called after a 401: true when a fresh look may give other credentials, so that one more try makes sense. */
  refused(used: Credentials): boolean
}

interface AuthDeps {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Is there a terminal that plugins may use? */
  readonly terminal: boolean
  /** Limit for one run of an exec plugin; a person may have to log in meanwhile. */
  readonly execTimeoutMs: number
}

/** Token files are rotated by others; client-go looks once a minute. */
const TOKEN_FILE_MS = 60_000
/** Tokens are fetched anew this long before they end, so that none runs out on the way. */
const EARLY_MS = 10_000
/** Life of a token without a readable end. */
const OPAQUE_TOKEN_MS = 5 * 60_000

interface Fresh {
  readonly authorization: string
  readonly identity: ClientIdentity
  /** Epoch milliseconds; undefined: until refused. */
  readonly expires: number | undefined
}

/** @throws UsageError when the files of a client certificate cannot be read. */
export function authenticatorFor(target: KubeTarget, deps: AuthDeps): Authenticator {
  const { user } = target
  // As client-go: over plain http no credentials are sent, anybody could read them.
  const isSecure = target.cluster.server.startsWith('https:')
  const source = isSecure ? sourceFor(target, deps) : fixed('', NO_IDENTITY)
  const impersonation = impersonationHeaders(user)
  let current: Promise<Credentials> | undefined
  let last: Credentials | undefined
  let expires: number | undefined
  const fetch = async (signal?: AbortSignal): Promise<Credentials> => {
    const fresh = await source.fetch(signal)
    expires = fresh.expires
    const authorization = fresh.authorization === '' ? {} : { Authorization: fresh.authorization }
    last = { headers: { ...authorization, ...impersonation }, identity: fresh.identity }
    return last
  }
  return {
    credentials(signal) {
      const isOver = expires !== undefined && deps.clock.now() >= expires
      if (current === undefined || isOver) {
        expires = undefined
        const running = fetch(signal)
        current = running
        // A failure is not kept: the next request asks again.
        running.catch(() => {
          if (current === running) current = undefined
        })
      }
      return current
    },
    refused(used) {
      if (!source.canRefresh) return false
      // Several requests may be refused with the same credentials; only the first has them fetched anew.
      if (used === last) {
        current = undefined
        last = undefined
      }
      return true
    },
  }
}

interface CredentialSource {
  readonly canRefresh: boolean
  fetch(signal?: AbortSignal): Promise<Fresh>
}

function fixed(authorization: string, identity: ClientIdentity): CredentialSource {
  return { canRefresh: false, fetch: async () => ({ authorization, identity, expires: undefined }) }
}

/** client-go's order: token file, token, basic auth; a plugin or provider only where none of these and no certificate is set. */
function sourceFor({ user, cluster }: KubeTarget, deps: AuthDeps): CredentialSource {
  const identity = {
    cert: readPem(user.clientCertificateData, user.clientCertificate, 'client certificate'),
    key: readPem(user.clientKeyData, user.clientKey, 'client key'),
  }
  if (user.tokenFile !== '') return tokenFileSource(user, identity, deps)
  if (user.token !== '') return fixed(`Bearer ${user.token}`, identity)
  if (user.username !== '' || user.password !== '') {
    return fixed(`Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`, identity)
  }
  if (identity.cert !== '') return fixed('', identity)
  const { exec, authProvider } = user
  if (exec !== undefined) {
    return {
      canRefresh: true,
      async fetch(signal) {
        const { env, terminal, execTimeoutMs } = deps
        const got = await runExecPlugin({ config: exec, cluster, env, terminal, timeoutMs: execTimeoutMs, signal })
        return {
          authorization: got.token === '' ? '' : `Bearer ${got.token}`,
          identity: { cert: got.cert, key: got.key },
          expires: got.expires === undefined ? undefined : got.expires - EARLY_MS,
        }
      },
    }
  }
  if (authProvider !== undefined) return providerSource(authProvider.name, authProvider.config, deps)
  return fixed('', NO_IDENTITY)
}

function tokenFileSource(user: UserConfig, identity: ClientIdentity, { clock }: AuthDeps): CredentialSource {
  return {
    canRefresh: true,
    async fetch() {
      let token = user.token
      try {
        token = (await readFile(user.tokenFile, 'utf8')).trim() || token
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
        if (token === '') throw new Error(`the token file ${user.tokenFile} cannot be read (${code})`)
      }
      if (token === '') throw new Error(`the token file ${user.tokenFile} is empty`)
      return { authorization: `Bearer ${token}`, identity, expires: clock.now() + TOKEN_FILE_MS }
    },
  }
}

function providerSource(name: string, config: Readonly<Record<string, string>>, { clock }: AuthDeps): CredentialSource {
  return {
    canRefresh: true,
    async fetch() {
      const { authProviderHeader } = await import('./auth-provider.ts')
      let header: string | undefined
      try {
        header = await authProviderHeader(name, config)
      } catch (error) {
        throw new Error(`the auth-provider "${name}" failed`, { cause: error })
      }
      if (header === undefined) throw new Error(`the auth-provider "${name}" has no valid token; log in again`)
      return {
        authorization: header,
        identity: NO_IDENTITY,
        expires: (jwtExpiry(header) ?? clock.now() + OPAQUE_TOKEN_MS) - EARLY_MS,
      }
    },
  }
}

/** End of a JWT's life in epoch milliseconds, without judging the token; undefined for tokens of another form. */
function jwtExpiry(header: string): number | undefined {
  const payload = header.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
    return typeof exp === 'number' ? exp * 1000 : undefined
  } catch {
    return undefined
  }
}

/** Headers of user impersonation, complete with groups, uid and extra fields (client-node sends the user only). */
function impersonationHeaders(user: UserConfig): Readonly<Record<string, string | readonly string[]>> {
  if (user.as === '') return {}
  const headers: Record<string, string | readonly string[]> = { 'Impersonate-User': user.as }
  if (user.asUid !== '') headers['Impersonate-Uid'] = user.asUid
  if (user.asGroups.length > 0) headers['Impersonate-Group'] = user.asGroups
  for (const [key, values] of Object.entries(user.asUserExtra)) {
    headers[`Impersonate-Extra-${encodeHeaderKey(key)}`] = values
  }
  return headers
}

/** Percent-encodes what may not stand in a header name, as client-go's headerKeyEscape. */
function encodeHeaderKey(key: string): string {
  return [...Buffer.from(key, 'utf8')]
    .map(byte => {
      const char = String.fromCharCode(byte)
      return /[A-Za-z0-9!#$&'*+.^_`|~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
