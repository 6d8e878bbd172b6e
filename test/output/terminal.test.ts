import { describe, expect, test } from 'vitest'
import { age, duration } from '../../src/output/age.ts'
import { pad, shorten, some, width, wrap } from '../../src/output/layout.ts'
import { useColour, usesUnicode } from '../../src/output/terminal.ts'
import { NOW } from './samples.ts'

describe('colour', () => {
  test.each([
    ['a terminal', 'auto', {}, true, true],
    ['a pipe', 'auto', {}, false, false],
    ['NO_COLOR', 'auto', { NO_COLOR: '1' }, true, false],
    ['NO_COLOR with any value', 'auto', { NO_COLOR: 'false' }, true, false],
    ['TERM=dumb', 'auto', { TERM: 'dumb' }, true, false],
    ['FORCE_COLOR on a pipe', 'auto', { FORCE_COLOR: '1' }, false, true],
    ['CLICOLOR_FORCE on a pipe', 'auto', { CLICOLOR_FORCE: '1' }, false, true],
    ['FORCE_COLOR=0', 'auto', { FORCE_COLOR: '0' }, false, false],
    ['NO_COLOR and FORCE_COLOR', 'auto', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    ['--color always and NO_COLOR', 'always', { NO_COLOR: '1' }, false, true],
    ['--color never and FORCE_COLOR', 'never', { FORCE_COLOR: '1' }, true, false],
  ] as const)('%s', (_, when, env, terminal, expected) => {
    expect(useColour(when, env, terminal)).toBe(expected)
  })
})

test.each([
  [{ LANG: 'en_US.UTF-8' }, true],
  [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, false],
  [{ LC_CTYPE: 'de_DE.utf8' }, true],
  [{ LANG: 'C' }, false],
  [{}, false],
])('the locale %o decides on Unicode: %s', (env, expected) => {
  expect(usesUnicode(env, 'linux')).toBe(expected)
})

describe('ages', () => {
  test.each([
    [0, '0s'],
    [59, '59s'],
    [60, '1m'],
    [3599, '59m'],
    [3600, '1h'],
    [48 * 3600 - 1, '47h'],
    [48 * 3600, '2d'],
    [-30, '0s'],
  ])('%i seconds are %s', (seconds, text) => {
    expect(duration(seconds * 1000)).toBe(text)
    expect(age(NOW, new Date(Date.parse(NOW) - seconds * 1000).toISOString())).toBe(text)
  })

  test('a time that is not known has no age', () => {
    expect(age(NOW, '')).toBe('<unknown>')
    expect(age('', NOW)).toBe('<unknown>')
  })
})

describe('layout', () => {
  test('wide characters take two columns, escapes none', () => {
    expect(width('漢字')).toBe(4)
    expect(width('\x1b[31mab\x1b[39m')).toBe(2)
    expect(pad('漢', 4)).toBe('漢  ')
  })

  test('a long text loses its middle', () => {
    expect(shorten('abcdefghij', 7, '…')).toBe('abc…hij')
    expect(shorten('abcdefghij', 7, '...')).toBe('ab...ij')
    expect(shorten('漢字漢字漢字', 7, '…')).toBe('漢…字')
    expect(shorten('short', 7, '…')).toBe('short')
  })

  test('a paragraph wraps at blanks and a long word stays whole', () => {
    expect(wrap('one two three', 8, '> ', '  ')).toEqual(['> one', '  two', '  three'])
    expect(wrap('a-very-long-word here', 6)).toEqual(['a-very-long-word', 'here'])
  })

  test('many names become few', () => {
    expect(some(['a', 'b', 'c'], 10, 2)).toBe('a, b and 8 more')
    expect(some(['a', 'b'], 2, 2)).toBe('a, b')
  })
})
