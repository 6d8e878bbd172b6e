/** Narrowing of values that came over the wire, under the names that this folder uses. */
export { isObject, list, type RawObject, text, textMap, texts, valueAt as field, valueAt as path } from '../raw.ts'
