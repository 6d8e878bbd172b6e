import { expect, test } from 'vitest'
import { mutate, type Survivor } from './mutate.ts'
import { knownSurvivor, SURVIVORS } from './survivors.ts'

const FLEETS = ['push-healthy', 'pull-healthy', 'agent-healthy', 'upstream-healthy']

test('every break of a healthy fleet is reported, harmless, or known to be missed', async () => {
  const all: Survivor[] = []
  for (const fleet of FLEETS) {
    const { mutants, errors, warnings, infos, harmless, survivors } = await mutate(fleet)
    expect(errors + warnings + infos + harmless + survivors.length).toBe(mutants)
    expect(errors + warnings, fleet).toBeGreaterThan(survivors.length * 5)
    all.push(...survivors)
  }
  expect(all.filter(s => !knownSurvivor(s))).toEqual([])
  // What is said to survive does.
  const forms = (s: Survivor) => `${s.object.split('/')[1]} ${s.what}`
  expect(SURVIVORS.filter(([, where, form]) => !all.some(s => where.test(s.fleet) && form.test(forms(s))))).toEqual([])
}, 120_000)
