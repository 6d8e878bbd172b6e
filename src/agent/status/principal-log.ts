/**
 * What the log of a principal tells that no object does. Only what is known of its lines is taken, never a line itself: a log
 * may hold anything (agent-mode.md 4.5, 5).
 */
export interface LogEvidence {
  readonly lines: number
  /** Agents that came, of those that are known, sorted. */
  readonly connected: readonly string[]
  /** Faults by what they mean, most frequent first. */
  readonly faults: readonly { readonly text: string; readonly times: number; readonly agents: readonly string[] }[]
  /** A fault was said after the last sign that an agent came or that the principal listens. */
  readonly isTroubled: boolean
}

const CAME = /An agent connected to the subscription stream|client authentication successful/
const STARTED = /Now listening on|Starting argocd-agent \(server\)/

/** Lines of the failure table (agent-mode.md 5) with what they mean. */
const FAULTS: readonly (readonly [line: RegExp, text: string])[] = [
  [/could not read TLS secret|not a TLS secret/, 'its TLS Secret is missing or of another type'],
  [/could not read secret/, 'the Secret of its CA is missing'],
  [/Could not load resource proxy TLS configuration/, 'the certificate of the resource proxy is missing'],
  [/could not read JWT secret|JWT signing key is missing/, 'its signing key is missing'],
  [/Could not parse auth|Unknown auth method|Error compiling mtls agent id regex/, 'its auth setting is invalid'],
  [/unable to sync Application informer/, 'it may not watch Applications in the whole cluster'],
  [/Resolution error|Connection error|unable to connect to principal redis/, 'it does not reach Redis'],
  [/NOAUTH|WRONGPASS/, 'Redis refuses its password'],
  [/does not match the agent ID regex pattern/, 'a client certificate does not match its auth setting'],
  [/invalid agent ID in client certificate/, 'a certificate names an agent that may not be called so'],
  [/certificate is blocklisted/, 'a client certificate is blocked'],
  [/Version mismatch: rejecting connection/, 'agents of another version are refused'],
  [/is not mapped to any cluster/, 'an agent has no cluster secret'],
  [/is already mapped to cluster/, 'two cluster secrets name one agent'],
  [/targeting an invalid agent/, 'an Application names an agent that is not registered'],
  [/Event failed after \d+ retries/, 'events are stuck'],
]

function mentions(line: string, agent: string): boolean {
  return line.split(/[^\w.-]+/).includes(agent)
}

/** @param agents names of the agents that are registered */
export function readPrincipalLog(text: string, agents: readonly string[]): LogEvidence {
  const lines = text.split('\n').filter(line => line !== '')
  const connected = new Set<string>()
  const faults = new Map<string, { times: number; agents: Set<string> }>()
  let isTroubled = false
  for (const line of lines) {
    if (CAME.test(line)) for (const agent of agents) if (mentions(line, agent)) connected.add(agent)
    if (CAME.test(line) || STARTED.test(line)) isTroubled = false
    const fault = FAULTS.find(([pattern]) => pattern.test(line))?.[1]
    if (fault === undefined) continue
    isTroubled = true
    const entry = faults.get(fault) ?? { times: 0, agents: new Set<string>() }
    entry.times++
    for (const agent of agents) if (mentions(line, agent)) entry.agents.add(agent)
    faults.set(fault, entry)
  }
  return {
    lines: lines.length,
    connected: [...connected].sort(),
    faults: [...faults]
      .map(([fault, { times, agents: of }]) => ({ text: fault, times, agents: [...of].sort() }))
      .sort((a, b) => b.times - a.times),
    isTroubled,
  }
}
