import { AGENT_CASES, AGENT_CASES_2 } from './agent-cases.ts'
import type { Case } from './case.ts'
import { CLUSTER_CASES } from './clusters-cases.ts'
import { DELIVERY_CASES, DELIVERY_CASES_2, DELIVERY_CASES_3 } from './delivery-cases.ts'
import { FLAVOUR_CASES } from './flavour-cases.ts'
import { GAP_CASES } from './gap-cases.ts'
import { LATE_CASES } from './late-cases.ts'
import { MORE_CASES } from './more-cases.ts'
import { ROUTING_CASES } from './routing-cases.ts'
import { STATE_CASES } from './state-cases.ts'
import { SURVIVOR_CASES } from './survivor-cases.ts'
import { UPGRADE_CASES } from './upgrade-cases.ts'

/** A small change of a recorded fleet for each fault of which no fleet was recorded. */
export const CASES: readonly Case[] = [
  ...CLUSTER_CASES,
  ...DELIVERY_CASES,
  ...DELIVERY_CASES_2,
  ...DELIVERY_CASES_3,
  ...AGENT_CASES,
  ...AGENT_CASES_2,
  ...MORE_CASES,
  ...LATE_CASES,
  ...GAP_CASES,
  ...ROUTING_CASES,
  ...FLAVOUR_CASES,
  ...STATE_CASES,
  ...SURVIVOR_CASES,
  ...UPGRADE_CASES,
]
