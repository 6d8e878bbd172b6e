const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * A span of time as Go and kubectl write it: `30s`, `5m`, `1h30m`, `500ms`, and `2d` as Argo CD takes it too.
 *
 * @returns milliseconds, or undefined where the text is none
 */
export function durationOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return text === '0' ? 0 : undefined
  let total = 0
  for (const part of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(part[1]) * (UNITS[part[2] ?? ''] ?? 0)
  }
  return total
}
