import { describe, expect, it, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { subject } from '../../src/fleet/subject.ts'
import { goalText, type Need, parseGoal, type WaitKind, waitKindOf } from '../../src/wait/goals.ts'
import { type Member, member } from '../../src/wait/member.ts'
import { requiredOf, Tally } from '../../src/wait/verdict.ts'

const ALL: Need = { type: 'all' }
const percent = (value: number): Need => ({ type: 'percent', value })

/** Members `a`, `b`, ... in the given states. */
function members(...states: Member['state'][]): Member[] {
  return states.map((state, i) => member(subject('hub', 'Application', 'ns', 'abcdefgh'[i] ?? ''), state, state))
}

describe('how many are needed', () => {
  test.each([
    [ALL, 7, 7],
    // Nothing is never everything.
    [ALL, 0, 1],
    [percent(95), 20, 19],
    [percent(95), 19, 19],
    [percent(95), 100, 95],
    [percent(50), 3, 2],
    [percent(1), 3, 1],
    [percent(100), 3, 3],
    // 0.07 * 100 is 7.000000000000001.
    [percent(7), 100, 7],
    [{ type: 'count', value: 12 } as const, 3, 12],
  ])('%j of %d: %d', (need, total, required) => expect(requiredOf(need, total)).toBe(required))
})

describe('the tally', () => {
  it('is met with all, and with none it is not', () => {
    expect(new Tally(ALL, 0).look(members('met', 'met'), 0)).toMatchObject({ isMet: true, met: 2, blockers: [] })
    expect(new Tally(ALL, 0).look([], 0).isMet).toBe(false)
  })

  it('is not failed while enough can still come', () => {
    expect(new Tally(percent(50), 0).look(members('failed', 'waiting'), 0)).toMatchObject({
      isMet: false,
      isFailed: false,
    })
    expect(new Tally(ALL, 0).look(members('failed', 'met'), 0).isFailed).toBe(true)
    expect(new Tally(ALL, 0).look(members('unknown', 'met'), 0)).toMatchObject({ isMet: false, isFailed: false })
  })

  it('lists failed ones first', () => {
    const { blockers } = new Tally(ALL, 0).look(members('waiting', 'unknown', 'failed', 'met'), 0)
    expect(blockers.map(b => b.state)).toEqual(['failed', 'unknown', 'waiting'])
  })

  it('bears a dip as long as the grace, but nothing unknown', () => {
    const tally = new Tally(ALL, 10)
    tally.look(members('met', 'waiting'), 0)
    expect(tally.look(members('failed', 'met'), 9)).toMatchObject({ isMet: true, dipped: 1 })
    expect(tally.look(members('failed', 'met'), 11)).toMatchObject({ isMet: false, dipped: 0 })
    const other = new Tally(ALL, 10)
    other.look(members('met', 'waiting'), 0)
    expect(other.look(members('unknown', 'met'), 1).isMet).toBe(false)
  })

  it('counts a failure only once it has lasted for the grace, and anew after a pause', () => {
    const tally = new Tally(ALL, 10)
    expect(tally.look(members('failed'), 0).isFailed).toBe(false)
    expect(tally.look(members('waiting'), 8).isFailed).toBe(false)
    expect(tally.look(members('failed'), 11).isFailed).toBe(false)
    expect(tally.look(members('failed'), 21).isFailed).toBe(true)
  })
})

describe('goals', () => {
  test.each([
    ['app', 'app'],
    ['Applications.argoproj.io', 'app'],
    ['applications.v1alpha1.argoproj.io', 'app'],
    ['goc', 'gitopscluster'],
    ['placements.v1beta1.cluster.open-cluster-management.io', 'placement'],
    ['applications.app.k8s.io', undefined],
    ['pod', undefined],
  ])('%s means %s', (word, kind) => expect(waitKindOf(word)).toBe(kind))

  test.each([
    ['appset', 'delivered=95%', 'delivered=95%'],
    ['appset', 'delivered=12', 'delivered=12'],
    ['appset', 'Healthy', 'healthy'],
    ['placement', 'ready', 'ready'],
  ] as const)('%s %s', (kind, text, back) => expect(goalText(parseGoal(kind, text, undefined, 1))).toBe(back))

  test.each([
    ['app', 'registered', undefined, 1, '--for registered says nothing about app: expected healthy, synced, delivered'],
    ['placement', 'healthy', undefined, 1, '--for healthy says nothing about placement'],
    ['fleet', 'helthy', undefined, 0, '--for "helthy" is no goal'],
    ['appset', 'healthy=95%', undefined, 1, '--for healthy takes no value; use --quorum 95%'],
    ['appset', 'delivered=95%', '90%', 1, 'both say how many'],
    ['app', 'healthy', '50%', 1, 'a part of one app cannot be healthy'],
    ['placement', 'ready', '50%', 1, 'a part of one placement cannot be ready'],
    ['appset', 'delivered=0', undefined, 1, 'invalid value "0" for --for delivered'],
    ['appset', 'delivered=101%', undefined, 1, 'invalid value "101%" for --for delivered'],
    ['appset', 'healthy', '0%', 1, 'invalid value "0%" for --quorum'],
    ['appset', 'healthy', '95', 1, 'invalid value "95" for --quorum'],
  ] as readonly [WaitKind, string, string | undefined, number, string][])(
    '%s --for %s --quorum %s is refused',
    (kind, text, quorum, names, message) => {
      expect(() => parseGoal(kind, text, quorum, names)).toThrow(UsageError)
      expect(() => parseGoal(kind, text, quorum, names)).toThrow(message)
    },
  )

  it('takes a part of several, and of the fleet', () => {
    expect(parseGoal('app', 'healthy', '50%', 2).need).toEqual(percent(50))
    expect(parseGoal('fleet', 'ready', '90%', 0).need).toEqual(percent(90))
  })
})
