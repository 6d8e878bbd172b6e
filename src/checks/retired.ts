/** Codes of checks that are gone. They are never used again. */
export const RETIRED_CODES: readonly string[] = []
