/** Edits (insert, delete, replace, swap of neighbours) that make one word of the other. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replace)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      }
      row.push(best)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

/** The word that was most likely meant, or undefined when none is near enough. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase()
  let found: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    const far = distance(wanted, candidate.toLowerCase())
    if (far < least) {
      least = far
      found = candidate
    }
  }
  return found ?? candidates.find(c => wanted.length > 1 && c.toLowerCase().startsWith(wanted))
}

/** `; did you mean "x"?`, or the rest of the sentence that is given where nothing is near. */
export function didYouMean(word: string, candidates: readonly string[], otherwise: string): string {
  const found = nearest(word, candidates)
  return found === undefined ? otherwise : `; did you mean "${found}"?`
}
