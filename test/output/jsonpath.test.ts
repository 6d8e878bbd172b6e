import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { compileColumns } from '../../src/output/custom-columns.ts'
import { compileJsonPath } from '../../src/output/jsonpath.ts'
import { OPTIONS } from './samples.ts'

/** kubectl 1.32 evaluates templates of each of these forms to the same text. */
const DATA = {
  kind: 'List',
  items: [
    { name: 'x', labels: { 'a.b/c': 'one' }, status: { type: 'Ready', 'is-ok': 'yes', n: 3 }, list: [1, 2, 3] },
    { name: 'y', status: { type: 'Lost', n: 5 } },
    { name: 'z' },
  ],
}

describe("kubectl's templates", () => {
  test.each([
    ['{.kind}', 'List'],
    ['{$.kind}', 'List'],
    ['{.items[*].name}', 'x y z'],
    ['kind: {.kind}, {.items[0].name}', 'kind: List, x'],
    ['{range .items[*]}{.name}{"\\t"}{.status.n}{"\\n"}{end}', 'x\t3\ny\t5\nz\t\n'],
    ['{range .items[*]}[{range .list[*]}{@};{end}]{end}', '[1;2;3;][][]'],
    ['{.items[?(@.status.type=="Ready")].name}', 'x'],
    ["{.items[?(@.status.type=='Lost')].name}", 'y'],
    ['{.items[?(@.status.n>3)].name}', 'y'],
    ['{.items[?(@.status.is-ok=="yes")].name}', 'x'],
    ['{.items[?(@.status)].name}', 'x y'],
    ['{.items[0].labels.a\\.b/c}', 'one'],
    ["{.items[0].labels['a.b/c']}", 'one'],
    ["{.items[0].labels['a\\.b/c']}", 'one'],
    ['{.items[-1].name}', 'z'],
    ['{.items[-2].name}', 'y'],
    ['{.items[0:2].name}', 'x y'],
    ['{.items[0,2].name}', 'x z'],
    ['{..type}', 'Ready Lost'],
    ["{.items[0]['name','list']}", 'x [1,2,3]'],
    ['{.items[1].status}', '{"type":"Lost","n":5}'],
    ['{.nothing.here}', ''],
    ['{"{"}{.kind}{"}"}', '{List}'],
  ])('%s', (template, text) => {
    expect(compileJsonPath(template)(DATA)).toBe(text)
  })

  test('a path may stand without braces', () => {
    expect(compileJsonPath('.items[*].name')(DATA)).toBe('x y z')
  })

  test.each([
    ['{.items[', 'a brace is not closed'],
    ['{range .items[*]}x', '{range} without {end}'],
    ['x{end}', '{end} without {range}'],
    ['{kind}', 'cannot understand "kind"'],
    ['{.items[(@.length-1)]}', 'cannot understand "[(@.length-1)]"'],
  ])('%s is refused', (template, message) => {
    expect(() => compileJsonPath(template)).toThrow(UsageError)
    expect(() => compileJsonPath(template)).toThrow(message)
  })

  test.each([
    '{.items[?(@.constructor.constructor("return process")())]}',
    '{.items[?(@.name.constructor("x"))]}',
    '{.items[?((()=>1)())]}',
    '{.items[(globalThis.ran = true)]}',
  ])('code is no path: %s', template => {
    expect(() => compileJsonPath(template)(DATA)).toThrow(UsageError)
  })

  test('a literal of a filter is never code', () => {
    expect(compileJsonPath('{.items[?(@.name=="x\\" || true || \\"")].name}')(DATA)).toBe('')
    expect('ran' in globalThis).toBe(false)
  })
})

describe('custom columns', () => {
  test('print a table with a header, and <none> for a field that is not there', () => {
    expect(compileColumns('NAME:.name,TYPE:status.type,L:{.list[*]}')(DATA.items, OPTIONS)).toBe(
      'NAME   TYPE     L\nx      Ready    1,2,3\ny      Lost     <none>\nz      <none>   <none>\n',
    )
  })

  test('leave the header out under --no-headers', () => {
    expect(compileColumns('NAME:.name')(DATA.items, { ...OPTIONS, headers: false })).toBe('x\ny\nz\n')
  })

  test('take a comma inside brackets', () => {
    expect(compileColumns("A:.items[0]['name','kind'],B:.kind")([DATA], { ...OPTIONS, headers: false })).toBe(
      'x   List\n',
    )
  })

  test.each(['NAME', 'NAME:', ':.name', 'A:.a,,B'])('%s is refused', spec => {
    if (spec === 'A:.a,,B') expect(() => compileColumns(spec)).toThrow('column "B"')
    else expect(() => compileColumns(spec)).toThrow(`column "${spec}"`)
  })
})
