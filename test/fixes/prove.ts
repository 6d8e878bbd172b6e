import { parse } from 'yaml'
import type { Node } from '../../src/checks/fold.ts'
import { CHECKS } from '../../src/checks/registry.ts'
import { type Diagnosis, examine } from '../../src/diagnosis.ts'
import { fixCommand, fixOf } from '../../src/fixes/lookup.ts'
import { makeFixPlan } from '../../src/fixes/make-fix-plan.ts'
import { kindOf } from '../../src/fleet/kinds.ts'
import { loadFleet } from '../../src/fleet/load.ts'
import { subjectKey } from '../../src/fleet/subject.ts'
import { exportFiles } from '../../src/plan/export-files.ts'
import { filesForGit } from '../../src/plan/for-git.ts'
import type { Manifest } from '../../src/plan/object.ts'
import { keepObjects } from '../../src/plan/object-reader.ts'
import { objectSteps, type Plan } from '../../src/plan/plan.ts'
import { merge } from '../../src/plan/values.ts'
import { isObject, textAt } from '../../src/raw.ts'
import { ALL_KINDS, type RawObject, type RecordedFleet } from '../support/fleets.ts'
import { type Patch, patchedFleet } from '../support/patch.ts'

/** A finding that a machine can mend, in a recording. */
export interface Mendable {
  readonly code: string
  readonly key: string
  readonly node: Node
}

export function* allNodes(nodes: readonly Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node
    yield* allNodes(node.children)
  }
}

const keyOf = ({ found }: Node): string => `${found.check.code} ${subjectKey(found.finding.subject)}`

/** Findings of a diagnosis for which the doctor names the command that mends them. */
export function mendable(diagnosis: Diagnosis): readonly Mendable[] {
  return [...allNodes(diagnosis.roots)].flatMap(node => {
    const { check, finding } = node.found
    if (fixCommand(check.code, finding, diagnosis.fleet).length === 0) return []
    return [{ code: check.code, key: keyOf(node), node }]
  })
}

export interface Mended {
  /** The recording with everything that the fix writes, and that controllers write in answer. */
  readonly fleet: RecordedFleet
  readonly plan: Plan
}

/** `cluster/Kind/namespace/name`, as patches name objects. */
export function refOf(cluster: string, object: unknown): string {
  const namespace = textAt(object, 'metadata', 'namespace')
  const parts = [cluster, textAt(object, 'kind'), namespace, textAt(object, 'metadata', 'name')]
  return parts.filter(part => part !== '').join('/')
}

export function has(patch: Patch, ref: string): boolean {
  return patch.objects.some(o => refOf(o.cluster, { ...o.raw, kind: o.kind }) === ref)
}

/** Puts an object of a file into the recording: in the place of the one that is there, with its status and identity. */
export function put(patch: Patch, cluster: string, manifest: Manifest): void {
  const kind = kindOf(manifest.apiVersion, manifest.kind)
  if (kind === undefined) throw new Error(`no kind of the chain: ${manifest.kind}`)
  const ref = refOf(cluster, manifest)
  if (!has(patch, ref)) {
    const uid = `uid-of-${ref}`
    patch.add(cluster, kind, { ...manifest, metadata: { ...manifest.metadata, uid, generation: 1 } })
    return
  }
  const raw = patch.edit(ref)
  const merged = merge(raw, manifest)
  if (isObject(merged)) Object.assign(raw, merged)
}

/** Carries out a plan on a recording: the files of its export, what is done once, and what is deleted. */
async function carriedOut(
  fleet: RecordedFleet,
  exported:
    | { readonly plan: Plan; readonly files: readonly { readonly path: string; readonly text: string }[] }
    | undefined,
  plan: Plan,
  react: (patch: Patch) => void,
): Promise<RecordedFleet> {
  const objects: Manifest[] = (exported?.files ?? [])
    .filter(file => file.path.endsWith('.yaml') && !file.path.endsWith('kustomization.yaml'))
    .map(file => parse(file.text))
  return patchedFleet(fleet, patch => {
    for (const object of objects) put(patch, 'hub', object)
    for (const step of objectSteps(plan)) {
      if (step.action === 'delete') patch.remove(refOf('hub', step.manifest))
      else if (!objects.some(o => refOf('hub', o) === refOf('hub', step.manifest))) put(patch, 'hub', step.manifest)
    }
    react(patch)
  })
}

/** Mends one finding in memory, as its command would with and without --export. */
export async function mend(
  fleet: RecordedFleet,
  { code, node }: Mendable,
  react: (patch: Patch) => void = () => undefined,
): Promise<Mended> {
  const fix = fixOf(code)
  if (fix === undefined) throw new Error(`${code} has no fix`)
  const kept = keepObjects(fleet, fix.kinds)
  const diagnosis = examine(await loadFleet(kept.source, ALL_KINDS), CHECKS)
  const { namespace, name } = node.found.finding.subject
  const request = {
    choice: { codes: [code], allSafe: false, namespace, names: [name] },
    words: ['doctor', 'fix', code],
    accepted: new Set<string>(),
  }
  const input = { diagnosis, kept, reader: kept.reader, now: new Date(0) }
  const forFiles = await makeFixPlan({ ...request, forFiles: true }, input).catch(() => undefined)
  // What others keep is a matter of files alone.
  const plan = await makeFixPlan({ ...request, forFiles: false }, input).catch((error: unknown) => {
    if (forFiles === undefined) throw error
    return forFiles
  })
  const exported =
    forFiles === undefined
      ? undefined
      : { plan: forFiles, files: exportFiles(forFiles, 'flat', await filesForGit(forFiles, kept.reader)) }
  return { fleet: await carriedOut(fleet, exported, plan, react), plan: forFiles ?? plan }
}

/** Keys of all findings, at any depth. */
export function keysOf(diagnosis: Diagnosis): ReadonlySet<string> {
  return new Set([...allNodes(diagnosis.roots)].map(keyOf))
}

export function rawOf(fleet: RecordedFleet, ref: string): RawObject {
  const found = fleet.objects.find(o => refOf(o.cluster, { ...o.raw, kind: o.kind }) === ref)
  if (found === undefined) throw new Error(`${fleet.name} has no ${ref}`)
  return found.raw
}
