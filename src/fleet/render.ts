/** Parameters that a generator hands to a template: flat names such as `name`, `server`, `values.env`. */
export type Params = Readonly<Record<string, string>>

const TAG = /\{\{([^{}]*)\}\}/g
const GO_FIELD = /^-?\s*\.([A-Za-z_][\w.]*)\s*-?$/
const GO_INDEX = /^-?\s*index\s+\.([A-Za-z_]\w*)\s+"([^"]+)"\s*-?$/

/**
 * Renders a template string of an ApplicationSet as its controller does (argo-cd applicationset/utils, fasttemplate and Go
 * templates). Undefined when it holds Go template functions that are not worked out here: then nobody may draw a conclusion.
 */
export function render(text: string, params: Params, goTemplate: boolean): string | undefined {
  let known = true
  const result = text.replace(TAG, (tag, inner: string) => {
    if (!goTemplate) return params[inner.trim()] ?? tag
    const field = GO_FIELD.exec(inner)
    const index = field === null ? GO_INDEX.exec(inner) : null
    const name = field?.[1] ?? (index === null ? undefined : `${index[1]}.${index[2]}`)
    const value = name === undefined ? undefined : params[name]
    if (value === undefined) known = false
    return value ?? tag
  })
  return known ? result : undefined
}

/** Does a rendered text still hold a template expression, because the wrong syntax was used for it? */
export function hasTemplate(text: string): boolean {
  return /\{\{[^{}]*\}\}/.test(text)
}
