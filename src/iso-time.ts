/** A time as machine formats print it: RFC 3339 in UTC; empty where it is not known. */
export function isoTime(ms: number | undefined): string {
  return ms === undefined || ms === 0 ? '' : new Date(ms).toISOString().replace('.000Z', 'Z')
}
