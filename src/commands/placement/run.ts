import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { placements } from '../../fleet/joins/placements.ts'
import { registration } from '../../fleet/joins/registration.ts'
import type { KindName } from '../../fleet/kinds.ts'
import { loadFleet } from '../../fleet/load.ts'
import type { View } from '../../output/view.ts'
import { editedObjects, readEdit } from '../../plan/edit-file.ts'
import { keepObjects } from '../../plan/object-reader.ts'
import {
  explainOnHub,
  findPlacement,
  type PlacementExplanationReport,
  type PlacementRef,
} from '../../plan/placement-explanation.ts'
import { type RawObject, textAt } from '../../raw.ts'
import { sourceInfo } from '../../source-info.ts'
import { type Call, note, openSource, reading } from '../call.ts'
import { textOption } from '../flag-values.ts'
import { produce } from '../produce.ts'
import { readText } from '../read-text.ts'

const VIEW: View<PlacementExplanationReport> = {
  what: 'placement explain',
  forms: {
    text: async () => (await import('../../output/placement-text.ts')).renderPlacementText,
    wide: async () => (await import('../../output/placement-text.ts')).renderPlacementWide,
  },
  rows: report => report.notSelected,
  rowKind: 'NotSelected',
  names: report =>
    report.selected.map(name => ({ group: 'cluster.open-cluster-management.io', kind: 'ManagedCluster', name })),
}

const KINDS_READ: ReadonlySet<KindName> = new Set(inputsOf(placements, registration, appSets, applications).hub)

/** `fleetctl placement explain [NS/]NAME | -f FILE`. */
export async function placementExplain(call: Call): Promise<ExitCode> {
  const file = textOption(call.options, 'filename')
  const namespace = textOption(call.options, 'namespace')
  const ref = reference(call.args[0], namespace)
  if (ref === undefined && file === undefined) throw new UsageError('name a Placement, or pass -f with an edited one')
  const edit =
    file === undefined ? undefined : readEdit(await readText(call, file, '-f'), file, ref?.namespace ?? namespace)
  if (edit !== undefined && edit.ignored.length > 0) note(call, `not looked at: ${edit.ignored.join(', ')}`)
  return produce(call, {
    view: VIEW,
    doing: reading(call),
    run: async signal => {
      const { source, reader } = keepObjects(await openSource(call))
      const loaded = await loadFleet(source, KINDS_READ, signal)
      const info = sourceInfo(source, loaded)
      if (edit === undefined) return explainOnHub(loaded, info, findPlacement(loaded, ref ?? { name: '' }), [])
      const objects = await editedObjects(edit, reader)
      return explainOnHub(
        loaded,
        info,
        placementOfEdit(edit.objects, ref) ?? findPlacement(loaded, ref ?? { name: '' }),
        objects,
      )
    },
    exitCode: report => (report.unseen.length > 0 && call.options.allowIncomplete !== true ? EXIT.incomplete : EXIT.ok),
  })
}

function reference(text: string | undefined, namespace: string | undefined): PlacementRef | undefined {
  if (text === undefined) return undefined
  const bare = text.replace(/^placements?(\.[\w.-]+)?\//, '')
  const parts = bare.split('/')
  const name = parts.at(-1) ?? ''
  const own = parts.length === 2 ? parts[0] : undefined
  if (parts.length > 2 || parts.some(part => part === '')) throw new UsageError(`"${text}" is not [NAMESPACE/]NAME`)
  if (own !== undefined && namespace !== undefined && own !== namespace) {
    throw new UsageError(`two namespaces: "${text}" says ${own}, --namespace says ${namespace}`)
  }
  const either = own ?? namespace
  return either === undefined ? { name } : { namespace: either, name }
}

/** The Placement of the edit that is meant: the named one, or the only one. */
function placementOfEdit(objects: readonly RawObject[], ref: PlacementRef | undefined) {
  const all = objects
    .filter(object => textAt(object, 'kind') === 'Placement')
    .map(object => ({ namespace: textAt(object, 'metadata', 'namespace'), name: textAt(object, 'metadata', 'name') }))
  const found = all.filter(
    p => ref === undefined || (p.name === ref.name && (ref.namespace === undefined || p.namespace === ref.namespace)),
  )
  const [only, ...more] = found
  if (more.length > 0) {
    throw new UsageError(
      `the file has several Placements: ${found.map(p => `${p.namespace}/${p.name}`).join(', ')}; name one`,
    )
  }
  if (only === undefined && ref === undefined)
    throw new UsageError('the file has no Placement; name the one to explain')
  return only
}
