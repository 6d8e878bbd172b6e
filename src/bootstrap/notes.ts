import type { PlanNote } from '../plan/plan.ts'
import type { Judged } from './judge.ts'
import { applicationNotes, controllerNotes, twiceNotes } from './notes/applications.ts'
import { clusterNotes, selectionNotes } from './notes/clusters.ts'
import { registrationNotes } from './notes/registration.ts'
import { rightsNotes } from './notes/rights.ts'
import { unseenNotes } from './notes/unseen.ts'

/** What the user should know about the plan, warnings first. */
export function notesOf(judged: Judged): readonly PlanNote[] {
  const notes = [
    ...selectionNotes(judged),
    ...clusterNotes(judged),
    ...registrationNotes(judged),
    ...rightsNotes(judged),
    ...applicationNotes(judged),
    ...twiceNotes(judged),
    ...controllerNotes(judged),
    ...unseenNotes(judged),
  ]
  return [...notes.filter(n => n.level === 'warning'), ...notes.filter(n => n.level === 'info')]
}
