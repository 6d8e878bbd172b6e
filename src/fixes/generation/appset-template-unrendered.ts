import { isObject, valueAt } from '../../raw.ts'
import { edit, mapTexts, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

/** Words that a Go template has for itself. */
const GO_WORDS = new Set(['end', 'else', 'now', 'break', 'continue', 'nil', 'true', 'false'])

function toGo(text: string): string {
  return text.replace(/\{\{\s*([A-Za-z][\w.-]*)\s*\}\}/g, (all, name: string) =>
    GO_WORDS.has(name) ? all : `{{.${name}}}`,
  )
}

function toPlain(text: string): string {
  return text.replace(/\{\{-?\s*\.([A-Za-z][\w.]*)\s*-?\}\}/g, '{{$1}}')
}

export const appsetTemplateUnrenderedFix: Fix = {
  code: 'FLT0309',
  does: 'write the parameters of the template in the syntax that it is rendered with',
  risk: 'Applications get other names, targets or sources than before: those of the old names are deleted',
  safe: false,
  kinds: ['ApplicationSet'],
  repair(input) {
    const { finding } = input
    const object = input.object(finding.subject)
    const template = valueAt(object, 'spec', 'template')
    if (!isObject(template)) return NOT_SEEN
    const goTemplate = valueAt(object, 'spec', 'goTemplate') === true
    const written = mapTexts(template, text => (goTemplate ? toGo(text) : toPlain(text)))
    return {
      steps: [
        edit(
          input,
          finding.subject,
          { spec: { template: written } },
          goTemplate ? 'goTemplate is on' : 'goTemplate is off',
        ),
      ],
    }
  },
}
