/** Parameters that a generator hands to a template: flat names such as `name`, `server`, `values.env`. */
export type Params = Readonly<Record<string, string>>

const TAG = /\{\{([^{}]*)\}\}/g
const GO_FIELD = /^-?\s*\.([A-Za-z_][\w.]*)\s*-?$/
const GO_INDEX = /^-?\s*index\s+\.([A-Za-z_]\w*)\s+"([^"]+)"\s*-?$/

/** A template string, taken apart: texts and tags in turn, the tags with the parameter that they stand for. */
interface Template {
  readonly texts: readonly string[]
  readonly tags: readonly { readonly tag: string; readonly param: string | undefined }[]
}

/** A fleet has few templates and renders each for thousands of clusters. */
const TEMPLATES = { go: new Map<string, Template>(), plain: new Map<string, Template>() }
const MOST_TEMPLATES = 1000

function paramOf(inner: string, goTemplate: boolean): string | undefined {
  if (!goTemplate) return inner.trim()
  const field = GO_FIELD.exec(inner)
  const index = field === null ? GO_INDEX.exec(inner) : null
  return field?.[1] ?? (index === null ? undefined : `${index[1]}.${index[2]}`)
}

function templateOf(text: string, goTemplate: boolean): Template {
  const known = goTemplate ? TEMPLATES.go : TEMPLATES.plain
  const found = known.get(text)
  if (found !== undefined) return found
  const parts = text.split(TAG)
  const template = {
    texts: parts.filter((_, i) => i % 2 === 0),
    tags: parts
      .filter((_, i) => i % 2 === 1)
      .map(inner => ({ tag: `{{${inner}}}`, param: paramOf(inner, goTemplate) })),
  }
  if (known.size >= MOST_TEMPLATES) known.clear()
  known.set(text, template)
  return template
}

/**
 * Renders a template string of an ApplicationSet as its controller does (argo-cd applicationset/utils, fasttemplate and Go
 * templates). Undefined when it holds Go template functions that are not worked out here: then nobody may draw a conclusion.
 */
export function render(text: string, params: Params, goTemplate: boolean): string | undefined {
  const { texts, tags } = templateOf(text, goTemplate)
  let result = texts[0] ?? ''
  for (let i = 0; i < tags.length; i++) {
    const { tag = '', param = undefined } = tags[i] ?? {}
    const value = param === undefined ? undefined : params[param]
    if (value === undefined && goTemplate) return undefined
    result += (value ?? tag) + (texts[i + 1] ?? '')
  }
  return result
}

/** Does a rendered text still hold a template expression, because the wrong syntax was used for it? */
export function hasTemplate(text: string): boolean {
  return /\{\{[^{}]*\}\}/.test(text)
}
