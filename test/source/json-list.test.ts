import { describe, expect, it, vi } from 'vitest'
import { type Parsed, parseDocuments } from '../../src/source/documents.ts'
import { takeList } from '../../src/source/json-list.ts'
import { LargeFile, PART } from '../../src/source/large-file.ts'
import { tempFile } from './trees.ts'

interface Item {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly note: string }
}

const NOTE = 'x'.repeat(3000)

function item(i: number, note = NOTE): Item {
  return { kind: 'Thing', metadata: { name: `thing-${i}`, note } }
}

const untyped = ({ metadata }: Item) => ({ metadata })

const many = (count = 3000): Item[] => Array.from({ length: count }, (_, i) => item(i))

/** As the API sends it, as `kubectl get -o json` prints it, and with Windows line ends. */
const LAYOUTS: Readonly<Record<string, (items: readonly unknown[]) => string>> = {
  compact: items => JSON.stringify({ kind: 'ThingList', apiVersion: 'v1', metadata: { continue: 'abc' }, items }),
  kubectl: items =>
    JSON.stringify({ apiVersion: 'v1', items, kind: 'ThingList', metadata: { continue: 'abc' } }, null, 4),
  windows: items =>
    `${JSON.stringify({ apiVersion: 'v1', items, kind: 'ThingList' }, null, 2).replaceAll('\n', '\r\n')}\r\n`,
}

/** Everything that was read, and what went wrong. */
function read(list: Iterable<Parsed> | undefined) {
  const parts = [...(list ?? [])]
  const items: unknown[] = []
  const errors: string[] = []
  for (const part of parts) {
    if (part.error !== undefined) errors.push(`${part.line ?? ''} ${part.error}`)
    else if (isList(part.value)) items.push(...part.value.items)
  }
  return { head: parts[0]?.error === undefined ? parts[0]?.value : undefined, items, errors, parts: parts.length }
}

function isList(value: unknown): value is { items: unknown[] } {
  return typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items)
}

const inMemory = (text: string) => takeList({ bytes: Buffer.from(text) })

function onDisk(text: string) {
  const path = tempFile('list.json', text)
  return takeList({ file: new LargeFile(path, Buffer.byteLength(text)) })
}

describe.each(Object.entries(LAYOUTS))('a large list, %s', (_, print) => {
  it.each([
    ['in memory', inMemory],
    ['on disk', onDisk],
  ])('is read in parts, %s', (_where, open) => {
    const { head, items, errors, parts } = read(open(print(many())))
    expect(errors).toEqual([])
    expect(items).toEqual(many())
    expect(head).toMatchObject({ kind: 'ThingList', items: [] })
    expect(parts).toBeGreaterThan(100)
  })

  it('has items of any form between the others', () => {
    const odd: readonly unknown[] = [
      { metadata: { note: NOTE, name: 'other order' }, kind: 'Thing' },
      // The seam of the list, inside a text and inside an item.
      item(1, `},\n        {\n            "kind": "Thing",},{"kind":"Thing","metadata":{"name":"thing-${NOTE}`),
      { kind: 'Thing', parts: [item(2), item(3)] },
      { kind: 'Thing', metadata: { name: 'quote " and \\', note: '\\"}],[{' } },
      {},
      // Larger than what is at hand at a time.
      item(4, 'y'.repeat(9 * 1024 * 1024)),
      item(5, 'ü€😀'),
    ]
    const all = [...many(800), ...odd, ...many(800), ...odd, ...many(2)]
    const { items, errors } = read(onDisk(print(all)))
    expect(errors).toEqual([])
    expect(items).toEqual(all)
  })

  it('loses no more than the item that is broken, and names its line', () => {
    const text = print(many())
    const broken = text.replace('"thing-1500"', '"thing-1500" oops')
    const { items, errors } = read(onDisk(broken))
    const line = text.slice(0, text.indexOf('"thing-1500"')).split('\n').length
    expect(items).toEqual(many().filter(i => i.metadata.name !== 'thing-1500'))
    expect(errors).toHaveLength(1)
    const [at, message] = /^(\d+) (.*)/.exec(errors[0] ?? '')?.slice(1) ?? []
    expect(message).toBe('not valid JSON')
    // The line on which the item begins.
    expect(line - Number(at)).toBeLessThanOrEqual(3)
  })

  it('forgives an item what YAML allows', () => {
    const all = [...many(400), item(400, 'the last field'), ...many(400)]
    const { items, errors } = read(inMemory(print(all).replace('"the last field"', '"the last field",')))
    expect(errors).toEqual([])
    expect(items).toEqual(all)
  })

  it('tells of items that are no objects', () => {
    const all = [...many(400), null, 7, ...many(400)]
    const { items, errors } = read(inMemory(print(all)))
    expect(items).toEqual([...many(400), ...many(400)])
    expect(errors.map(e => e.replace(/^\d+ /, ''))).toEqual(Array(2).fill('an item of the list is no object'))
  })

  it('tells once that characters were not valid', () => {
    const bytes = Buffer.from(print(many(500)))
    for (const name of ['thing-100', 'thing-200']) bytes[bytes.indexOf(name)] = 0xff
    const { items, errors } = read(takeList({ bytes }))
    expect(errors).toEqual([' some characters are not valid UTF-8 and were replaced'])
    expect(items).toHaveLength(500)
    expect(items[100]).toEqual({ ...item(100), metadata: { ...item(100).metadata, name: '\ufffdhing-100' } })
  })

  it.each<[string, (i: number) => unknown]>([
    ['of many forms', i => ({ [`${'abcdef'[i % 6]}`]: i, ...item(i) })],
    ['of one form but the first two and the last', i => (i < 2 ? { first: NOTE, kind: 'Thing' } : item(i))],
    ['that cannot be read', i => (i < 2 ? item(i) : i)],
  ])('is read little more than once where items are %s', (_what, form) => {
    const items = Array.from({ length: 8000 }, (__, i) => form(i))
    const text = print([...items, ...many(3000), ...items.slice(0, 2)])
    const file = new LargeFile(tempFile('list.json', text), Buffer.byteLength(text))
    const part = vi.spyOn(file, 'part')
    const { items: found, errors } = read(takeList({ file }))
    expect(found.length + errors.length).toBe(11_002)
    const bytes = part.mock.calls.reduce((sum, [from, to]) => sum + Math.min(to, file.size) - from, 0)
    // Once, once more to count lines, and a part at the beginning and at the end.
    expect(bytes).toBeLessThan(2 * file.size + 4 * PART)
  })

  it('is left in place where it ends early, to be read as a whole', () => {
    const text = print(many())
    for (const end of [text.trimEnd().length - 1, text.length - 4000, text.lastIndexOf('"thing-2999"')]) {
      const bytes = Buffer.from(text.slice(0, end))
      const content = { bytes }
      expect(takeList(content)).toBeUndefined()
      expect(content.bytes).toBe(bytes)
    }
  })
})

describe('several lists in a row', () => {
  const things = { kind: 'ThingList', apiVersion: 'v1', items: many(700) }
  const others = { kind: 'OtherList', apiVersion: 'v1', metadata: { continue: 'abc' }, items: many(800) }
  const alone = { kind: 'Thing', metadata: { name: 'alone' } }
  const rest = { kind: 'RestList', apiVersion: 'v1', items: many(600).map(untyped) }

  it.each([
    ['of one form', [things, others]],
    ['with other objects', [things, alone, others, alone]],
    ['of several forms', [things, rest]],
    ['of several forms, the other way round', [rest, things]],
    ['of items that do not say what they are', [rest, { ...rest, kind: 'OtherList' }]],
  ])('are each read as what it is: %s', (_, values) => {
    for (const text of [
      values.map(v => JSON.stringify(v)).join('\n'),
      values.map(v => `${JSON.stringify(v, null, 4)}\n`).join(''),
    ]) {
      const documents = [...(onDisk(text) ?? parseDocuments(text))]
      const found: unknown[] = documents.map(d => (d.error === undefined ? d.value : d.error))
      for (const value of values) {
        if (!('items' in value)) expect(found).toContainEqual(value)
        else {
          const own = found.filter(d => isList(d) && 'kind' in d && d.kind === value.kind)
          expect(own.flatMap(d => (isList(d) ? d.items : []))).toEqual(value.items)
        }
      }
    }
  })
})

describe('what is no large list', () => {
  it.each([
    ['a small one', JSON.stringify({ items: [item(1), item(2)] })],
    ['one item', JSON.stringify({ items: [item(1, 'z'.repeat(2_000_000))] })],
    ['an array', JSON.stringify(many(600))],
    ['an object', JSON.stringify({ kind: 'Thing', data: NOTE.repeat(600) })],
    ['items that are no list', JSON.stringify({ data: NOTE.repeat(600), items: { a: [item(1)] } })],
    ['items of unknown kind, with a kind behind them', JSON.stringify({ items: many(600).map(untyped), kind: 'List' })],
    [
      'YAML',
      `items:\n${many(600)
        .map(i => `- ${JSON.stringify(i)}\n`)
        .join('')}`,
    ],
  ])('%s is left in place', (_, text) => {
    expect(inMemory(text)).toBeUndefined()
  })
})
