/** What the metrics of a principal tell (agent-mode.md 4.5). */
export interface MetricsEvidence {
  /** Agents that are connected now; undefined where the principal does not say. */
  readonly connected: number | undefined
  /** How often each agent has connected since the principal started. */
  readonly connections: ReadonlyMap<string, number>
  /** Errors that it counts, over all labels; undefined where it counts none. */
  readonly errors: number | undefined
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{([^}]*)\})?\s+(\S+)/

/** Reads the text format of Prometheus; lines of other metrics are passed over. */
export function readPrincipalMetrics(text: string): MetricsEvidence {
  let connected: number | undefined
  let errors: number | undefined
  const connections = new Map<string, number>()
  for (const line of text.split('\n')) {
    const match = LINE.exec(line)
    const value = Number(match?.[3])
    if (match === null || Number.isNaN(value)) continue
    const [, name, labels = ''] = match
    if (name === 'argocd_principal_connected_agents') connected = (connected ?? 0) + value
    if (name === 'principal_errors') errors = (errors ?? 0) + value
    if (name === 'argocd_principal_agent_connections_total') {
      const agent = /(?:^|,)agent_name="([^"]*)"/.exec(labels)?.[1]
      if (agent !== undefined) connections.set(agent, (connections.get(agent) ?? 0) + value)
    }
  }
  return { connected, connections, errors }
}
