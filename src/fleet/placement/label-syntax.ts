/**
 * Syntax of label keys and values, with the words that Kubernetes has for what is wrong, since a Placement's
 * PlacementMisconfigured condition carries them. Source: kubernetes/apimachinery pkg/api/validate/content/{kube,dns}.go.
 */
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const VALUE = `(${NAME})?`
const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`

const NAME_REGEXP = new RegExp(`^${NAME}$`)
const VALUE_REGEXP = new RegExp(`^${VALUE}$`)
const SUBDOMAIN_REGEXP = new RegExp(`^${SUBDOMAIN}$`)

const NAME_MAX_BYTES = 63
const VALUE_MAX_BYTES = 63
const SUBDOMAIN_MAX_BYTES = 253

const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"

const tooLong = (bytes: number): string => `must be no more than ${bytes} bytes`

function brokenRule(rule: string, regexp: string, examples: readonly string[]): string {
  const shown = examples.map(example => `'${example}', `).join(' or ')
  return `${rule} (e.g. ${shown}regex used for validation is '${regexp}')`
}

function subdomainErrors(value: string): string[] {
  const errors: string[] = []
  if (Buffer.byteLength(value) > SUBDOMAIN_MAX_BYTES) errors.push(tooLong(SUBDOMAIN_MAX_BYTES))
  if (!SUBDOMAIN_REGEXP.test(value)) errors.push(brokenRule(SUBDOMAIN_RULE, SUBDOMAIN, ['example.com']))
  return errors
}

/** What is wrong with a label key; empty for a valid one. */
export function labelKeyErrors(key: string): readonly string[] {
  const nameRule = brokenRule(NAME_RULE, NAME, ['MyName', 'my.name', '123-abc'])
  const parts = key.split('/')
  if (parts.length > 2) {
    return [`a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  }
  const errors: string[] = []
  const name = parts.at(-1) ?? ''
  const prefix = parts.length === 2 ? parts[0] : undefined
  if (prefix === '') errors.push('prefix part must be non-empty')
  else if (prefix !== undefined) errors.push(...subdomainErrors(prefix).map(e => `prefix part ${e}`))
  if (name === '') errors.push('name part must be non-empty')
  else if (Buffer.byteLength(name) > NAME_MAX_BYTES) errors.push(`name part ${tooLong(NAME_MAX_BYTES)}`)
  if (!NAME_REGEXP.test(name)) errors.push(`name part ${nameRule}`)
  return errors
}

/** What is wrong with a label value; empty for a valid one. */
export function labelValueErrors(value: string): readonly string[] {
  const errors: string[] = []
  if (Buffer.byteLength(value) > VALUE_MAX_BYTES) errors.push(tooLong(VALUE_MAX_BYTES))
  if (!VALUE_REGEXP.test(value)) errors.push(brokenRule(VALUE_RULE, VALUE, ['MyValue', 'my_value', '12345']))
  return errors
}
