import type { Check } from '../../checks/check.ts'
import { UsageError } from '../../errors.ts'
import type { Suppression } from '../../suppressions/suppression.ts'
import { didYouMean } from '../../ui/nearest.ts'
import type { Call } from '../call.ts'
import { listOption } from '../flag-values.ts'

/**
 * Codes of the checks that the values name: a code in any case, a slug, or a glob over either.
 *
 * @param flag named in the error
 * @throws UsageError for a value that names no check
 */
export function selectCodes(values: readonly string[], checks: readonly Check[], flag: string): string[] {
  const codes = new Set<string>()
  for (const value of values) {
    const pattern = glob(value)
    const found = checks.filter(check => pattern.test(check.code) || pattern.test(check.slug))
    if (found.length === 0) {
      const names = checks.flatMap(check => [check.code, check.slug])
      throw new UsageError(
        `no check is called "${value}" (${flag})${didYouMean(value, names, '; "fleetctl doctor list" lists them all')}`,
      )
    }
    for (const check of found) codes.add(check.code)
  }
  return [...codes].sort()
}

/** @throws UsageError for a category that no check has */
export function selectCategories(values: readonly string[], checks: readonly Check[]): string[] {
  const known: string[] = [...new Set(checks.map(check => check.category))].sort()
  for (const value of values) {
    if (known.includes(value)) continue
    const meant = didYouMean(value, known, `; there are ${known.join(', ')}`)
    throw new UsageError(`no check has the category "${value}" (--category)${meant}`)
  }
  return [...new Set(values)].sort()
}

interface ChosenChecks {
  readonly checks?: readonly string[]
  readonly skip?: readonly string[]
  readonly categories?: readonly string[]
}

/**
 * What `--checks`, `--skip` and `--category` choose; what is not given stays absent.
 *
 * @throws UsageError for a value that names no check, or no category
 */
export async function chosenChecks({ options, engine }: Pick<Call, 'options' | 'engine'>): Promise<ChosenChecks> {
  const checks = listOption(options, 'checks')
  const skip = listOption(options, 'skip')
  const categories = listOption(options, 'category')
  if (checks.length + skip.length + categories.length === 0) return {}
  const known = await engine.checks()
  return {
    ...(checks.length > 0 ? { checks: selectCodes(checks, known, '--checks') } : {}),
    ...(skip.length > 0 ? { skip: selectCodes(skip, known, '--skip') } : {}),
    ...(categories.length > 0 ? { categories: selectCategories(categories, known) } : {}),
  }
}

/** Suppressions with the codes of the checks that each names: `slug:GLOB` becomes `CODE:GLOB`. */
export function suppressions(values: readonly string[], checks: readonly Check[]): string[] {
  return values.map(value => {
    const cut = value.indexOf(':')
    const [name, object] = cut < 0 ? [value, ''] : [value.slice(0, cut), value.slice(cut)]
    return codesOf(name, checks, '--ignore').join('|') + object
  })
}

/** The suppressions of settings files, by code. @throws UsageError for one that names no check */
export function configured(files: readonly Suppression[], checks: readonly Check[]): Suppression[] {
  return files.map(one => ({ ...one, codes: codesOf(one.check, checks, one.origin) }))
}

/** A glob over codes stays one; names of checks become codes. */
function codesOf(name: string, checks: readonly Check[], origin: string): string[] {
  const codes = selectCodes([name], checks, origin)
  return codes.length > 1 && codes.every(code => glob(name).test(code)) ? [name.toUpperCase()] : codes
}

function glob(value: string): RegExp {
  const parts = value.split('*').map(part => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'i')
}
