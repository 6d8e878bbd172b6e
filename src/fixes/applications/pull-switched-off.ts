import { parseDocument } from 'yaml'
import { textAt } from '../../raw.ts'
import { edit, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

const KEY = 'config.yaml'

export const pullSwitchedOffFix: Fix = {
  code: 'FLT0404',
  does: 'switch the basic pull model on again',
  risk: 'all changes of the hub since it was switched off reach the clusters at once, deletions too',
  safe: false,
  kinds: ['ConfigMap'],
  repair(input) {
    const { subject: of } = input.finding
    const text = textAt(input.object(of), 'data', KEY)
    if (text === '') return NOT_SEEN
    const document = parseDocument(text)
    if (document.errors.length > 0) return `${KEY} is no YAML that could be changed`
    document.setIn(['pullModel', 'basic', 'disabled'], false)
    return {
      steps: [edit(input, of, { data: { [KEY]: document.toString() } }, 'the pull controllers read it at their start')],
      afterwards: `restart the pull controllers: oc -n ${of.namespace} rollout restart deployment multicluster-integrations`,
    }
  },
}
