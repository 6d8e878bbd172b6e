import { UsageError } from '../errors.ts'

/** Fields that the generator gives to a template (push-pull.md 1.8): of the cluster's secret, and of the decision. */
const FIELDS = new Set(['name', 'server', 'clusterName', 'reason'])
const TAG = /\{\{-?\s*([^{}]*?)\s*-?\}\}/g

/**
 * The language of the templates: `{{name}}`, or Go templates (`{{.name}}`). An ApplicationSet has one for all of them.
 *
 * @param templates by the flag that they came from
 * @throws UsageError for both in one, and for a field that the generator does not have: it would stay in the text as it is
 */
export function templateLanguage(templates: Readonly<Record<string, string>>): 'plain' | 'go' | 'none' {
  let language: 'plain' | 'go' | 'none' = 'none'
  for (const [flag, text] of Object.entries(templates)) {
    for (const [tag, inner = ''] of text.matchAll(TAG)) {
      const found = FIELDS.has(inner) ? 'plain' : /[.\s|]/.test(inner) ? 'go' : undefined
      if (found === undefined) {
        throw new UsageError(`${flag} has ${tag}, which nothing fills in; the name of the cluster is {{name}}`)
      }
      if (language !== 'none' && language !== found) {
        throw new UsageError(`${flag} mixes {{name}} with Go templates such as {{.name}}; use one of them everywhere`)
      }
      language = found
    }
    if (/\{\{[^}]*$|^[^{]*\}\}/.test(text.replace(TAG, ''))) {
      throw new UsageError(`${flag} "${text}" has braces that are not closed`)
    }
  }
  return language
}
