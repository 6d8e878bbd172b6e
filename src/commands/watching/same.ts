/** RFC 3339 times, and the spans in which ages are told: `40s`, `12m`, `3h`, `2d`, also run together as `1h30m`. */
const TIMES = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z|\b(?:\d+[smhd])+\b/g

/**
 * What of a document is compared from look to look: all but the times and ages in it, which go on while nothing changes. Two
 * documents with the same text differ in nothing else.
 */
export function timeless(document: object): string {
  return JSON.stringify(document).replaceAll(TIMES, '~')
}
