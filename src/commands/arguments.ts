import { nounOf } from './trace/kinds.ts'

/** Commander gives an optional value what follows the flag, even a command's name; so each `-v` gets its value here. */
const VERBOSE = /^(?:-v|--verbose)$/

/**
 * The command line in the one form that commander reads as we mean it: `-v` and `-v 4` become `--verbose=N`, and
 * `trace app/NAME` becomes `trace app NAME`.
 */
export function normalizeArguments(argv: readonly string[]): string[] {
  const out: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? ''
    if (arg === '--') return [...out, ...argv.slice(i)]
    if (!VERBOSE.test(arg)) {
      out.push(arg)
      continue
    }
    const level = /^\d$/.test(argv[i + 1] ?? '') ? argv[++i] : '1'
    out.push(`--verbose=${level}`)
  }
  return splitKind(out)
}

function splitKind(argv: readonly string[]): string[] {
  const trace = argv.indexOf('trace')
  const word = argv[trace + 1]
  if (trace < 0 || word === undefined) return [...argv]
  const cut = word.indexOf('/')
  const noun = cut > 0 ? nounOf(word.slice(0, cut)) : undefined
  if (noun === undefined) return [...argv]
  return [...argv.slice(0, trace + 1), noun, word.slice(cut + 1), ...argv.slice(trace + 2)]
}
