import { Document, isScalar, Scalar, visit } from 'yaml'
import { escapeUnsafe, needsEscape } from './sanitize.ts'

/** The same document as JSON, as one YAML document that YAML 1.1 and 1.2 readers understand alike. */
export function toYaml(document: object): string {
  const yaml = new Document(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  visit(yaml, {
    Scalar(_, node) {
      // Only a double-quoted scalar can spell a character out.
      if (isScalar(node) && typeof node.value === 'string' && needsEscape(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return escapeUnsafe(yaml.toString({ lineWidth: 0 }))
}
