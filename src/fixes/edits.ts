import { KINDS, type KindName } from '../fleet/kinds.ts'
import { type Subject, subject } from '../fleet/subject.ts'
import type { Manifest } from '../plan/object.ts'
import { isObject, type RawObject, valueAt } from '../raw.ts'
import type { FixInput, FixStep } from './fix.ts'

/** A step that writes an object, whole where it is new. */
export function write(manifest: Manifest, why: string): FixStep {
  return { does: 'write', manifest, why }
}

/**
 * A step that changes some fields of an object of the hub that is there. `metadata` of the fields adds labels and
 * annotations.
 */
export function edit(
  { version }: Pick<FixInput, 'version'>,
  of: Subject,
  fields: Readonly<Record<string, unknown>>,
  why: string,
): FixStep {
  // On the hub the same name may mean another object.
  if (of.cluster !== 'hub') throw new Error(`a fix writes to the hub alone, not to ${of.cluster}`)
  return write(fieldsOf(version(kindNamed(of)), of, fields), why)
}

/** The same for fields that start something once. */
export function trigger(
  input: Pick<FixInput, 'version'>,
  of: Subject,
  fields: Readonly<Record<string, unknown>>,
  why: string,
): FixStep {
  const step = edit(input, of, fields, why)
  return step.does === 'write' ? { ...step, once: true } : step
}

/** @param of an object of a kind of the chain */
export function kindNamed({ kind }: Subject): KindName {
  if (!(kind in KINDS)) throw new Error(`no kind of the chain: ${kind}`)
  // Checked in the line above.
  return kind as KindName
}

function fieldsOf(apiVersion: string, of: Subject, fields: Readonly<Record<string, unknown>>): Manifest {
  const { metadata, ...rest } = fields
  const { name, namespace } = of
  return {
    apiVersion,
    kind: of.kind,
    metadata: {
      ...(isObject(metadata) ? metadata : {}),
      name,
      ...(namespace === '' ? {} : { namespace }),
    },
    ...rest,
  }
}

/** A list of an object as it is; undefined where the object was not seen. What is no list counts as empty. */
export function listOf(
  input: Pick<FixInput, 'object'>,
  of: Subject,
  ...keys: readonly string[]
): readonly unknown[] | undefined {
  const object = input.object(of)
  if (object === undefined) return undefined
  const list = valueAt(object, ...keys)
  return Array.isArray(list) ? list : []
}

/** Said where a list would have to be replaced as a whole and cannot be seen. */
export const NOT_SEEN = 'the object could not be read, and a list of it would have to be written whole'

/** Every text below a value, changed. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]))
}

/** Every object below a value, changed from the inside out. */
export function mapObjects(value: unknown, change: (object: RawObject) => RawObject): unknown {
  if (Array.isArray(value)) return value.map(item => mapObjects(item, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])))
}

/** The template of an ApplicationSet, or the Application itself: where what is delivered is written down. */
export function delivered(of: Subject, fields: RawObject): RawObject {
  return of.kind === 'ApplicationSet' ? { spec: { template: fields } } : fields
}

/** `{{name}}` in the syntax of an ApplicationSet. */
export function nameParameter(goTemplate: boolean): string {
  return goTemplate ? '{{.name}}' : '{{name}}'
}

/** An object of the hub: fixes write nowhere else. */
export function hubSubject(kind: KindName, namespace: string, name: string): Subject {
  return subject('hub', kind, namespace, name)
}
