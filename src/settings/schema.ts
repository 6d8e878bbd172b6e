import { constant, object, type Schema, string } from '../output/schema/build.ts'
import { SETTABLE } from './flags.ts'

export const CONFIG = 'Config'

const scalars: readonly Schema[] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }]

/** Unlike what fleetctl prints, what it reads has no unknown fields: a typing error must not pass. */
const closed = (schema: Schema): Schema => ({ ...schema, additionalProperties: false })

const flags = Object.fromEntries(
  Object.entries(SETTABLE).map(([flag, { help, userOnly }]) => [
    flag,
    {
      anyOf: [...scalars, { type: 'array', items: { anyOf: scalars } }],
      description: `--${flag}: ${help}${userOnly === true ? ' (file of the user only)' : ''}.`,
    },
  ]),
)

const suppression = closed(
  object(
    {
      check: string('Code or name of a check, or a glob over either.'),
      object: string('Glob over namespace/Kind/name, or Kind/name; all objects where it is left out.'),
      cluster: string('Glob over the cluster, `hub` or a ManagedCluster; all clusters where it is left out.'),
      reason: string('Why it may stay.'),
      owner: string('Who answers for it.'),
      expires: {
        type: 'string',
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        description: 'The last day on which it holds, in UTC.',
      },
    },
    { optional: ['object', 'cluster'] },
  ),
)

/** JSON Schema of `.fleetctl.yaml` and of the config file of the user. */
export const CONFIG_SCHEMA: Schema = closed(
  object(
    {
      apiVersion: constant('fleetctl/v1'),
      kind: constant(CONFIG),
      metadata: { type: 'object', description: 'For people and tools; not read.' },
      flags: { type: 'object', properties: flags, additionalProperties: false, description: 'Values of flags.' },
      suppressions: { type: 'array', items: suppression, description: 'Findings that doctor does not tell.' },
    },
    { optional: ['metadata', 'flags', 'suppressions'], description: 'Settings, as .fleetctl.yaml holds them.' },
  ),
)
