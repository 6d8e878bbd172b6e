/** Dangers that `--accept` of `doctor fix` takes. */
export const FIX_GATES: readonly string[] = ['deletes', 'lost-applications']
