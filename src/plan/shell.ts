/** Words as one line for a shell: what has other than plain characters is quoted. */
export function shellLine(words: readonly string[]): string {
  return words.map(word => (/^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}
