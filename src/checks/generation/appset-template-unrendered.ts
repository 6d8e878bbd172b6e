import type { ApplicationSet } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

/** `{{name}}`: the syntax of fasttemplate. `{{.name}}`: that of Go templates. */
const PLAIN = /\{\{\s*[A-Za-z][\w.-]*\s*\}\}/
const GO = /\{\{-?\s*(\.|index\s|if\s|range\s|end\s*-?\}\})/
/** Functions and keywords that stand alone in a Go template, so that they look like a plain parameter. */
const GO_WORD = /^\{\{\s*(end|else|now|break|continue|nil|true|false)\s*\}\}$/

/** Template fields that a person writes expressions in, by path. */
function fields({ template: t }: ApplicationSet): readonly (readonly [path: string, text: string])[] {
  return [
    ['.metadata.name', t.name],
    ['.metadata.namespace', t.namespace],
    ...Object.entries(t.labels).map(([k, v]) => [`.metadata.labels[${k}]`, v] as const),
    ...Object.entries(t.annotations).map(([k, v]) => [`.metadata.annotations[${k}]`, v] as const),
    ['.spec.project', t.project],
    ['.spec.destination.server', t.destination.server],
    ['.spec.destination.name', t.destination.name],
    ['.spec.destination.namespace', t.destination.namespace],
    ...t.sources.flatMap(s => [
      ['.spec.source.repoURL', s.repoURL] as const,
      ['.spec.source.path', s.path] as const,
      ['.spec.source.targetRevision', s.targetRevision] as const,
    ]),
  ]
}

function wrong(text: string, goTemplate: boolean): boolean {
  if (!goTemplate) return GO.test(text)
  const plain = PLAIN.exec(text)?.[0]
  return plain !== undefined && !GO_WORD.test(plain)
}

export const appsetTemplateUnrendered: Check = {
  code: 'FLT0309',
  slug: 'appset-template-unrendered',
  title: 'Templates of ApplicationSets use the syntax that they are rendered with',
  severity: 'warning',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ApplicationSet'] },
  docs: {
    why: 'With `goTemplate: true` a parameter is written `{{.name}}`, without it `{{name}}`. The other way round the expression stays in the text as it is, or the template fails: names with braces, targets that do not exist, clusters that are never matched.',
    remedy:
      'Write all expressions in the syntax that `spec.goTemplate` says; set `goTemplateOptions: ["missingkey=error"]` to see mistakes at once.',
    sources: ['push-pull 1.8'],
  },
  *run(fleet) {
    for (const appSet of fleet.hub.of('ApplicationSet').all) {
      const found = fields(appSet).filter(([, text]) => wrong(text, appSet.goTemplate))
      const first = found[0]
      if (first === undefined) continue
      yield {
        subject: appSet.subject,
        message: `The template of ApplicationSet "${appSet.meta.name}" has ${appSet.goTemplate ? 'goTemplate on and writes' : 'goTemplate off and writes'} "${first[1]}"${found.length > 1 ? ` (and ${found.length - 1} more)` : ''}.`,
        evidence: [
          fact(appSet, '.spec.goTemplate', appSet.goTemplate),
          ...found.slice(0, 6).map(([path, text]) => fact(appSet, `.spec.template${path}`, text)),
        ],
        effect: appSet.goTemplate
          ? 'the template cannot be rendered: nothing is generated'
          : 'the expression stays in the Applications as it is written',
        fix: appSet.goTemplate
          ? 'write {{.name}} instead of {{name}}'
          : 'set spec.goTemplate: true, or write {{name}} instead of {{.name}}',
        because: [{ subject: appSet.subject, codes: ['FLT0302', 'FLT0401'] }],
        breaks: false,
      }
    }
  },
}
