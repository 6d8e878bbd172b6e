import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { parseDocuments } from '../../src/source/documents.ts'
import { RECORDED } from './trees.ts'

/** Values of all documents, and the errors with their lines. */
function parse(text: string): { values: unknown[]; errors: (number | undefined)[] } {
  const documents = [...parseDocuments(text)]
  return {
    values: documents.flatMap(d => (d.error === undefined ? [d.value] : [])),
    errors: documents.flatMap(d => (d.error === undefined ? [] : [d.line])),
  }
}

/** Items of all lists in the text, or of what a parser made of it as a whole. */
function items(text: string, values = parse(text).values): unknown[] {
  return values.flatMap(value =>
    typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items)
      ? value.items
      : [value],
  )
}

describe('YAML', () => {
  it('is YAML 1.2: what 1.1 takes for dates, booleans and octal numbers are none', () => {
    const text =
      'time: 2026-11-30T15:38:34Z\nday: 2026-11-30\non: yes\nmode: 0644\nbase: 12:30:45\nnull: ~\ntrue: True\n'
    expect(parse(text).values).toEqual([
      {
        time: '2026-11-30T15:38:34Z',
        day: '2026-11-30',
        on: 'yes',
        mode: 644,
        base: '12:30:45',
        null: null,
        true: true,
      },
    ])
  })

  it('keeps a key called __proto__ as data', () => {
    const [value] = parse('__proto__: {polluted: 1}\n').values
    expect(Object.keys(Object(value))).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it('lists come apart at the same places at which a parser sees their items', () => {
    for (const file of [
      'hub/applications.argoproj.io.yaml',
      'hub/managedclusters.cluster.open-cluster-management.io.yaml',
      'bm/serviceaccounts.yaml',
    ]) {
      const text = readFileSync(join(RECORDED, file), 'utf8')
      const whole = items(text, loadAll(text))
      // A fault in the first item has the list read item by item; with and without indentation.
      const margin = text.replaceAll(/^ {2}/gm, '')
      for (const [layout, fault] of [
        [text, 'items:\n  - [\n'],
        [margin, 'items:\n- [\n'],
      ] as const) {
        const broken = layout.replace('items:\n', fault)
        expect(parse(broken).errors).toHaveLength(1)
        expect(items(broken)).toEqual(whole)
      }
    }
  })

  it('dashes inside strings do not end an item', () => {
    const item = [
      '- kind: A',
      '  block: |',
      '    - not an item',
      '    items:',
      '    # no comment',
      '',
      '    ---x',
      '  quoted: "one',
      '    - two"',
      '  line: a\u2028- b',
      '# a comment',
      '',
      '- kind: B',
      '  list:',
      '  - 1',
      '  - - 2',
      '',
    ].join('\n')
    const expected = items('', loadAll(`items:\n${item}`))
    expect(expected).toHaveLength(2)
    const broken = parse(`apiVersion: v1\nitems:\n${item}- {\nkind: List\n`)
    expect(broken.values).toEqual(expected.map(i => ({ apiVersion: 'v1', kind: 'List', items: [i] })))
    expect(broken.errors).toHaveLength(1)
  })

  it('an object of another kind with a field called items stays whole', () => {
    const text = 'kind: Menu\nitems:\n- a\n- b\n'
    expect(parse(text).values).toEqual([{ kind: 'Menu', items: ['a', 'b'] }])
  })

  it('an alias to another item has the list read at once', () => {
    const text = 'kind: List\nitems:\n- &a {x: 1}\n- *a\n'
    expect(parse(text).values).toEqual([{ kind: 'List', items: [{ x: 1 }, { x: 1 }] }])
  })

  it('faults have their line in the file', () => {
    const at = (text: string) => parse(text).errors
    expect(at('a: 1\nb: @x\n')).toEqual([2])
    expect(at('a: 1\n---\nb: 2\nc: *none\n')).toEqual([4])
    expect(at('# comment\n\nkind: List\nitems:\n\n- a: 1\n# comment\n- b: 1\n  b: 2\n- c: 1\n')).toEqual([9])
    expect(at('kind: List\nitems:\n- a: 1\nmetadata: @x\n')).toEqual([4])
    expect(at('%YAML 1.2\n---\na: @x\n')).toEqual([3])
  })

  it('conflict markers of Git cost what they stand in, not what comes before', () => {
    const text = 'kind: List\nitems:\n- a: 1\n- b: 1\n<<<<<<< HEAD\n- c: 1\n=======\n- c: 2\n>>>>>>> x\n'
    const { errors } = parse(text)
    expect(errors.length).toBeGreaterThan(0)
    expect(items(text)).toEqual([{ a: 1 }, { b: 1 }])
  })

  it('faults never quote the text', () => {
    const faults = [
      'a: *CANARY',
      'a: !CANARY 1',
      '%TAG CANARY\n---\na: 1',
      'a: "CANARY',
      '@CANARY',
      'CANARY: 1\nCANARY: 2',
    ]
    for (const fault of faults) {
      const documents = [...parseDocuments(fault)]
      expect(documents.some(d => d.error !== undefined)).toBe(true)
      expect(JSON.stringify(documents)).not.toContain('CANARY')
    }
  })
})
