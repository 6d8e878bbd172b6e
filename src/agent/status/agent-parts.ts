import type { Agent } from './agent.ts'
import { addClientCertificate } from './client-certificate.ts'
import { addHubSide } from './hub-side.ts'
import { addConnection, addVersion } from './link-parts.ts'
import { Parts } from './parts.ts'
import { addController, addDeployment, addLiveView, addSpokeArgo } from './spoke-side.ts'

/** The parts of one agent, from the hub to the spoke. */
export function agentParts(agent: Agent): Parts {
  const parts = new Parts(agent.place.fleet)
  addHubSide(parts, agent)
  addClientCertificate(parts, agent)
  addSpokeArgo(parts, agent)
  addDeployment(parts, agent)
  addVersion(parts, agent)
  addConnection(parts, agent)
  addController(parts, agent)
  addLiveView(parts, agent)
  return parts
}
