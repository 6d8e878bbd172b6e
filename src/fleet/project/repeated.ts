/**
 * Values that are often equal to the one before, as those of the Applications of one ApplicationSet are, so that equal ones in a
 * row are kept in memory once. Returns the value to keep.
 */
export function repeated<T extends object>(equal: (a: T, b: T) => boolean): (value: T) => T {
  let last: T | undefined
  return value => {
    if (last === undefined || !equal(last, value)) last = value
    return last
  }
}

const EMPTY: readonly never[] = []

/** The list, or where it is empty the one empty list of all: a fleet has hundreds of thousands of them. */
export function orEmpty<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? EMPTY : list
}

/** The same for lists of such values. */
export function repeatedList<T>(equal: (a: T, b: T) => boolean): (list: readonly T[]) => readonly T[] {
  return repeated((a, b) => {
    if (a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) {
      const [x, y] = [a[i], b[i]]
      if (x === undefined || y === undefined || !equal(x, y)) return false
    }
    return true
  })
}
