import { boolean, integer, listOf, object, oneOf, string, time } from './build.ts'
import { envelope } from './definitions.ts'

export const SNAPSHOT_REPORT_SCHEMA = object({
  ...envelope('SnapshotReport'),
  version: string('Version of fleetctl.'),
  startedAt: time('When the run began.'),
  finishedAt: time('When the run ended.'),
  source: object({
    type: oneOf(['recording', 'must-gather', 'files', 'live'], 'Kind of source.'),
    name: string('Path or context that was read.'),
  }),
  path: string('Where the snapshot is.'),
  format: oneOf(['folder', 'archive'], 'What it is.'),
  redacted: boolean('Names were replaced.'),
  mapping: string('File that says what stands for what; empty where nothing was replaced.'),
  kept: listOf(string('Name.'), 'Names that were to be replaced and could not be.'),
  clusters: listOf(
    object({
      name: string('`hub`, or the name of the ManagedCluster.'),
      role: oneOf(['hub', 'spoke'], 'Side.'),
      serverVersion: string('Version of its API server; empty where it is not known.'),
      read: boolean('False where nothing of it could be read.'),
      kinds: integer('Kinds that were read.'),
      objects: integer('Objects that were recorded.'),
    }),
    'Clusters, the hub first.',
  ),
  gaps: listOf(
    object({
      cluster: string('`hub`, or the name of the ManagedCluster.'),
      resource: string('`plural.group`; empty for the whole cluster.'),
      reason: string('Why.'),
    }),
    'What could not be read, wholly or in part.',
  ),
})
