import type { Check, Model } from '../checks/check.ts'

const MODELS: readonly Model[] = ['push', 'pull', 'agent', 'local']

/*
 * What a run finds in its own settings. These judge the outcome of the other checks, so they are no functions of a fleet:
 * src/suppressions/judge.ts evaluates them after the others.
 */

export const SUPPRESSION_EXPIRED: Check = {
  code: 'FLT1001',
  slug: 'suppression-expired',
  title: 'No suppression is past its last day',
  severity: 'warning',
  category: 'settings',
  models: MODELS,
  needs: {},
  docs: {
    why: 'A suppression in `.fleetctl.yaml` or in the config file of the user has an owner, a reason and a last day. After that day its findings count again, and the entry only misleads who reads the file.',
    remedy:
      'Mend what it hid. Where that takes longer, set a new last day together with its owner, else remove the entry.',
    sources: ['conventions of the command line 6, "Suppression"'],
  },
  run: () => [],
}

export const SUPPRESSION_UNUSED: Check = {
  code: 'FLT1002',
  slug: 'suppression-unused',
  title: 'Every suppression hides a finding',
  severity: 'info',
  category: 'settings',
  models: MODELS,
  needs: {},
  docs: {
    why: 'A suppression that meets no finding is either done with, or its code or glob is wrong. Left as it is, it hides the same fault when it comes back. Only checks that could look at everything are judged: one that was left out, does not apply, or could not see an object says nothing of its suppressions.',
    remedy:
      'Remove the entry, the flag `--ignore` or the annotation `fleetctl.io/ignore`, or correct its code and glob.',
    sources: ['conventions of the command line 6, "Suppression"'],
  },
  run: () => [],
}

/** Checks of the run itself, by code. */
export const SUPPRESSION_CHECKS: readonly Check[] = [SUPPRESSION_EXPIRED, SUPPRESSION_UNUSED]
