import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { SourceError } from '../../src/errors.ts'
import type { KindName } from '../../src/fleet/kinds.ts'
import { openPath } from '../../src/source/open.ts'
import { app, listOf, managedCluster, read, tempFile, tempFolder } from './trees.ts'

/** An error for the user: its class, and a message of one line that begins in lower case. */
async function refusal(path: string, options = {}): Promise<string> {
  const error = await read(path, options).then(
    () => undefined,
    (e: unknown) => e,
  )
  expect(error).toBeInstanceOf(SourceError)
  const message = error instanceof Error ? error.message : ''
  expect(message).toMatch(/^[^\n\u001b]+$/)
  return message
}

describe('nothing to read', () => {
  it('is an error that says what was looked for', async () => {
    expect(await refusal(tempFolder())).toMatch(/^no YAML or JSON file in /)
    expect(await refusal(tempFolder({ 'a.tgz': 'x', 'b.txt': 'x' }))).toMatch(
      /a\.tgz is an archive inside a folder: not read/,
    )
    expect(await refusal('/no/such\u001b[31m/folder')).toBe(
      'cannot read /no/such\\x1b[31m/folder: no such file or folder',
    )
    expect(await refusal(tempFile('a.yaml', ''))).toMatch(/^no object in .* of the kinds that fleetctl reads$/)
    expect(await refusal(tempFile('a.yaml', 'just: text\n'))).toMatch(/^no object in /)
    expect(await refusal('-', { stdin: Readable.from([]) })).toBe(
      'no object in standard input of the kinds that fleetctl reads',
    )
    expect(await refusal('')).toBe('the path to read from is empty')
  })

  it('does not wait for a terminal', async () => {
    const terminal = Object.assign(Readable.from([]), { isTTY: true })
    expect(await refusal('-', { stdin: terminal })).toMatch(/nothing is piped into standard input/)
  })

  it('names the fault when the only file is broken', async () => {
    expect(await refusal(tempFile('a.yaml', 'kind: List\nitems:\n- {a: [}\n'))).toMatch(
      /^nothing in .* can be read: a\.yaml line 3: not valid YAML/,
    )
  })
})

describe('a syntax error', () => {
  const good = (name: string) =>
    `- apiVersion: argoproj.io/v1alpha1\n  kind: Application\n  metadata: {namespace: x, name: ${name}}\n`

  it('in YAML names file and line, and costs one item', async () => {
    const text = `apiVersion: v1\nkind: List\nitems:\n${good('a')}- apiVersion: v1\n  kind: "CANARY\n${good('b')}`
    const { sink, report, coverage } = await read(
      tempFolder({ 'hub/all.yaml': text, 'hub/c.json': listOf(managedCluster('bm')) }),
    )
    expect(sink.names('hub')).toEqual(['Application x/a', 'Application x/b', 'ManagedCluster bm'])
    expect(report.problems).toHaveLength(1)
    expect(report.problems[0]).toMatchObject({
      where: 'hub/all.yaml',
      message: expect.stringMatching(/^not valid YAML/),
    })
    // The quote opens in line 8 and is never closed; the parser notices at the end of the item.
    expect(report.problems[0]?.line).toBeGreaterThanOrEqual(8)
    expect(report.problems[0]?.line).toBeLessThanOrEqual(9)
    // Nobody knows what the item was.
    for (const kind of ['Application', 'ManagedCluster'] as const)
      expect(coverage('hub', kind)).toMatchObject({ state: 'read', complete: false })
    expect(coverage('hub', 'Placement').state).toBe('not-recorded')
    expect(JSON.stringify(report.problems)).not.toContain('CANARY')
  })

  it('costs only the kind that the name of the file tells', async () => {
    const files = {
      'placements.cluster.open-cluster-management.io.yaml': 'a: [',
      'c.json': listOf(managedCluster('bm')),
    }
    const { coverage } = await read(tempFolder(files))
    expect(coverage('hub', 'ManagedCluster')).toEqual({ state: 'read', complete: true })
    expect(coverage('hub', 'Placement')).toMatchObject({ state: 'refused' })
  })

  it('costs one of several documents', async () => {
    const doc = good('a').replaceAll(/^(- | {2})/gm, '')
    const { sink, problems } = await read(
      tempFile('a.yaml', `${doc}---\na: b: c\n---\n${doc.replace('name: a', 'name: b')}`),
    )
    expect(sink.names('hub')).toEqual(['Application x/a', 'Application x/b'])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^a\.yaml:5 not valid YAML/)
  })

  it('in JSON names the line, and never quotes what is there', async () => {
    const broken = `{"kind": "List",\n"items": [\n{"a": "CANARY" oops}\n]}`
    const { problems } = await read(tempFolder({ 'a.json': broken, 'b.json': listOf(app('x', 'a')) }))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^a\.json:3 not valid JSON$/)
    const cut = await read(tempFolder({ 'a.json': `{"items": [\n{"a": "CANARY`, 'b.json': listOf(app('x', 'a')) }))
    expect(cut.problems).toEqual(['a.json:2 not valid JSON: it ends in the middle of a value'])
    const lines = await read(
      tempFile('a.jsonl', `${JSON.stringify(app('x', 'a'))}\n{CANARY\n}\n${JSON.stringify(app('x', 'b'))}\n`),
    )
    expect(lines.sink.names('hub')).toEqual(['Application x/a', 'Application x/b'])
    expect(lines.problems).toEqual(['a.jsonl:2 not valid JSON'])
  })

  it('in YAML that looks like JSON is none', async () => {
    const { sink, problems } = await read(
      tempFile('a.yaml', '{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: x,}}\n'),
    )
    expect(sink.names('hub')).toEqual(['Secret x/s'])
    expect(problems).toEqual([])
  })

  it('many times over is told a few times', async () => {
    const items = Array.from({ length: 20 }, (_, i) => `${good(`a${i}`)}- [\n`).join('')
    const { problems, sink } = await read(tempFile('a.yaml', `kind: List\nitems:\n${items}`))
    expect(sink.objects).toHaveLength(20)
    expect(problems).toHaveLength(6)
    expect(problems[5]).toBe('a.yaml 15 more faults like these')
  })
})

describe('encodings', () => {
  const text = listOf(app('x', 'näme'))
  const cases: readonly [string, Buffer][] = [
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 LE without a mark', Buffer.from(text, 'utf16le')],
    [
      'CRLF',
      Buffer.from(
        `apiVersion: v1\r\nkind: List\r\nitems:\r\n- apiVersion: argoproj.io/v1alpha1\r\n  kind: Application\r\n  metadata:\r\n    namespace: x\r\n    name: näme\r\n`,
      ),
    ],
  ]

  it.each(cases)('%s', async (_, bytes) => {
    const { sink, problems } = await read(tempFile('a.yaml', bytes))
    expect(sink.names('hub')).toEqual(['Application x/näme'])
    expect(problems).toEqual([])
  })

  it('CRLF in a text with an error', async () => {
    const crlf =
      'apiVersion: v1\r\nkind: List\r\nitems:\r\n- a: [\r\n- apiVersion: v1\r\n  kind: Secret\r\n  metadata: {name: s}\r\n'
    const { sink, problems } = await read(tempFile('a.yaml', crlf))
    expect(sink.names('hub')).toEqual(['Secret s'])
    expect(problems.join()).toMatch(/^a\.yaml:[45] not valid YAML/)
  })

  it('are the same for a large file, which is read in another way', async () => {
    const large = listOf(app('x', 'näme', { spec: 'y'.repeat(9 * 1024 * 1024) }))
    for (const bytes of [Buffer.from(large), Buffer.from(`\ufeff${large}`), Buffer.from(`\ufeff${large}`, 'utf16le')]) {
      const { sink, problems } = await read(tempFile('a.json', bytes))
      expect(sink.names('hub')).toEqual(['Application x/näme'])
      expect(problems).toEqual([])
    }
    expect((await read(tempFile('a.json', Buffer.from(large, 'latin1')))).problems.join()).toMatch(/not valid UTF-8/)
    const zeros = Buffer.from(large)
    zeros[5000] = 0
    expect(await refusal(tempFile('a.json', zeros))).toMatch(/a\.json: it is no text$/)
  })

  it('that are none are a problem', async () => {
    const latin = Buffer.from(text, 'latin1')
    const { sink, problems, coverage } = await read(tempFile('applications.argoproj.io.json', latin))
    expect(sink.objects).toHaveLength(1)
    expect(problems.join()).toMatch(/not valid UTF-8/)
    expect(coverage('hub', 'Application')).toMatchObject({ state: 'read', complete: false })
    const binary = await read(tempFolder({ 'a.yaml': Buffer.from([7, 1, 2, 0, 0, 0, 9]), 'b.json': text }))
    expect(binary.problems).toEqual(['a.yaml it is no text'])
  })
})

describe('odd lists and objects', () => {
  it('null is an empty list, but said', async () => {
    const text = '{"apiVersion":"argoproj.io/v1alpha1","kind":"ApplicationList","items":null}'
    const { coverage, problems } = await read(tempFile('a.json', text))
    expect(coverage('hub', 'Application')).toEqual({ state: 'read', complete: true })
    expect(problems).toEqual(['a.json `items` is null where a list should be: taken as an empty list'])
  })

  it('of a wrong type are incomplete', async () => {
    const texts = ['{"a":1}', '"x"', `[null, 7, ${JSON.stringify(app('x', 'a'))}]`]
    for (const items of texts) {
      const text = `{"apiVersion":"argoproj.io/v1alpha1","kind":"ApplicationList","items":${items}}`
      const { coverage, problems } = await read(tempFile('a.json', text))
      expect(coverage('hub', 'Application')).toMatchObject({ state: 'read', complete: false })
      expect(problems).toHaveLength(1)
    }
  })

  it('that are pages are incomplete', async () => {
    const page = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationList', metadata: { continue: 'abc' } }
    const { coverage } = await read(tempFile('a.json', JSON.stringify({ ...page, items: [app('x', 'a')] })))
    expect(coverage('hub', 'Application')).toMatchObject({ state: 'read', complete: false })
  })

  it('give their kind to items without one, as the raw API leaves it out', async () => {
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'SecretList',
      items: [{ metadata: { namespace: 'x', name: 's' } }],
    })
    expect((await read(tempFile('a.json', text))).sink.names('hub')).toEqual(['Secret x/s'])
  })

  it('of unknown kinds, and data of no Kubernetes API, are passed over', async () => {
    const files = {
      'a.json': listOf(app('x', 'a')),
      'b.json': '[1, 2, null]',
      'c.json': '{"items": [1, null]}',
      'd.json': '{"apiVersion": "example.test/v1", "kind": "WidgetList", "items": null}',
      'e.yaml': 'apiVersion: apps.open-cluster-management.io/v1\nkind: Subscription\nmetadata: {name: not-olm}\n',
    }
    const { sink, problems, coverage } = await read(tempFolder(files))
    expect(sink.names('hub')).toEqual(['Application x/a'])
    expect(problems).toEqual([])
    expect(coverage('hub', 'Subscription').state).toBe('not-recorded')
  })

  it('do not overflow the stack', async () => {
    const deep = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`
    const apps = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"deep","namespace":"x"},"spec":${deep(100_000)}}`
    const { problems, sink } = await read(
      tempFolder({ 'a.json': apps, 'b.json': listOf(app('x', 'a')), 'c.yaml': `a: ${deep(50_000)}` }),
    )
    expect(sink.names('hub')).toEqual(['Application x/a'])
    expect(problems[0]).toBe('a.json x/Application/deep nests deeper than 500 levels: not read')
    expect(problems[1]).toMatch(/^c\.yaml:1 not valid YAML: nesting exceeded maxDepth/)
    const lists = `${'[{"kind":"List","items":'.repeat(5000)}[]${'}]'.repeat(5000)}`
    expect(await refusal(tempFile('lists.json', lists))).toMatch(/lists inside lists: not read/)
  })
})

describe('YAML aliases', () => {
  it('that expand to a bomb are refused, others are followed', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) => `  l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(', ')}]`,
    )
    const bomb = [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata: {name: bomb, namespace: x}',
      'data:',
      '  l0: &l0 [x, x]',
      ...levels,
    ].join('\n')
    const fine =
      'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: x, labels: &l {a: b}}\nother: {<<: *l, c: d}\n'
    const { sink, problems, coverage } = await read(tempFile('a.yaml', `${bomb}\n---\n${fine}`))
    expect(sink.objects.map(o => o.raw)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 's', namespace: 'x', labels: { a: 'b' } },
        other: { a: 'b', c: 'd' },
      },
    ])
    expect(problems).toEqual(['a.yaml x/ConfigMap/bomb expands to more than 1000000 values: not read'])
    expect(coverage('hub', 'ConfigMap')).toMatchObject({ state: 'read', complete: false })
  })

  it('are limited in number', async () => {
    const many = `a: &a 1\nb: [${Array(2000).fill('*a').join(', ')}]\n`
    const { problems } = await read(tempFolder({ 'a.yaml': many, 'b.json': listOf(app('x', 'a')) }))
    expect(problems.join()).toMatch(/^a\.yaml:2 not valid YAML: aliases/)
  })
})

describe('an object that is there twice', () => {
  const at = (resourceVersion: string | undefined, note: string) =>
    app('x', 'a', {
      metadata: { namespace: 'x', name: 'a', ...(resourceVersion === undefined ? {} : { resourceVersion }) },
      spec: { note },
    })

  async function twice(one: object, two: object) {
    return read(tempFolder({ 'hub/a.json': listOf(one), 'hub/b.json': listOf(two), 'bm/a.json': listOf(one) }))
  }

  it('in the same state is once there', async () => {
    const { sink, problems } = await twice(at('9', 'same'), { ...at('9', 'same') })
    expect(sink.names('hub')).toHaveLength(1)
    expect(sink.names('bm')).toHaveLength(1)
    expect(problems).toEqual([])
  })

  it('in two states counts by the higher resourceVersion, compared as numbers', async () => {
    for (const [one, two] of [
      [at('9', 'old'), at('10', 'new')],
      [at('10', 'new'), at('9', 'old')],
    ] as const) {
      const { sink, problems } = await twice(one, two)
      expect(sink.objects.filter(o => o.cluster === 'hub').map(o => o.raw)).toEqual([at('10', 'new')])
      expect(problems).toEqual([
        'hub/b.json x/Application/a is there twice, in different states: the one with the higher resourceVersion is used',
      ])
    }
  })

  it('in two states of unknown age counts as it comes last, and is marked', async () => {
    const pairs = [
      [at(undefined, 'one'), at(undefined, 'two')],
      [at('abc', 'one'), at('abd', 'two')],
      [at('5', 'one'), at('5', 'two')],
    ] as const
    for (const [one, two] of pairs) {
      const { sink, coverage, problems } = await twice(one, two)
      expect(sink.objects.filter(o => o.cluster === 'hub').map(o => o.raw)).toEqual([two])
      expect(coverage('hub', 'Application')).toMatchObject({ state: 'read', complete: false })
      expect(coverage('bm', 'Application')).toEqual({ state: 'read', complete: true })
      expect(problems).toHaveLength(1)
    }
  })

  it('is handed to a sink without `replace` as another object', async () => {
    const folder = tempFolder({ 'a.json': listOf(at('1', 'old'), at('2', 'new')) })
    const seen: unknown[] = []
    const source = await openPath(folder)
    await source.read(new Set<KindName>(['Application']), { object: (_c, _k, raw) => seen.push(raw) })
    expect(seen).toEqual([at('1', 'old'), at('2', 'new')])
  })
})

describe('a folder', () => {
  afterEach(() => {
    if (process.getuid?.() === 0) process.seteuid?.(0)
  })

  it('with links in a circle is read once', async () => {
    const folder = tempFolder({ 'hub/a.json': listOf(app('x', 'a')) })
    symlinkSync('..', join(folder, 'hub', 'up'))
    symlinkSync('self.yaml', join(folder, 'hub', 'self.yaml'))
    symlinkSync(join(folder, 'hub', 'nothing.json'), join(folder, 'hub', 'dead.json'))
    const { sink, problems, report, coverage } = await read(folder)
    expect(sink.names('hub')).toEqual(['Application x/a'])
    expect(problems).toEqual([
      'hub/dead.json no such file or folder',
      'hub/self.yaml symbolic links that lead in a circle',
    ])
    expect(report.notes?.[0]).toBe('hub/up is a link to a folder that it lies in: not followed')
    expect(coverage('hub', 'Application')).toMatchObject({ state: 'read', complete: false })
  })

  it('follows links to files and folders', async () => {
    const target = tempFolder({ 'a.json': listOf(app('x', 'a')), 'sub/b.json': listOf(app('x', 'b')) })
    const folder = tempFolder()
    symlinkSync(join(target, 'a.json'), join(folder, 'a.json'))
    symlinkSync(join(target, 'sub'), join(folder, 'sub'))
    expect((await read(folder)).sink.names('hub')).toEqual(['Application x/a', 'Application x/b'])
  })

  it('with a pipe in it is not waited for', async () => {
    const folder = tempFolder({ 'a.json': listOf(app('x', 'a')) })
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')])
    expect((await read(folder)).problems).toEqual(['pipe.yaml not a regular file'])
  })

  it('without read permission on something marks what may be missing', async () => {
    const folder = tempFolder({
      'hub/a.json': listOf(app('x', 'a')),
      'hub/placements.cluster.open-cluster-management.io.json': listOf(),
      'bm/b.json': listOf(app('x', 'b')),
    })
    mkdirSync(join(folder, 'bm', 'closed'))
    chmodSync(join(folder, 'hub', 'placements.cluster.open-cluster-management.io.json'), 0)
    chmodSync(join(folder, 'bm', 'closed'), 0)
    chmodSync(folder, 0o755)
    // Permissions do not hold for root.
    if (process.getuid?.() === 0) process.seteuid?.(65534)
    const { problems, coverage } = await read(folder)
    expect([...problems].sort()).toEqual([
      'bm/closed permission denied',
      'hub/placements.cluster.open-cluster-management.io.json permission denied',
    ])
    expect(coverage('hub', 'Application')).toEqual({ state: 'read', complete: true })
    expect(coverage('hub', 'Placement')).toMatchObject({ state: 'refused' })
    expect(coverage('bm', 'Application')).toMatchObject({ state: 'read', complete: false })
  })

  it('that is closed beside a recorded cluster is a cluster of which nothing is known', async () => {
    const index = 'cluster: hub\nresources: []\n'
    const folder = tempFolder({ 'hub/index.yaml': index, 'bm/index.yaml': index })
    chmodSync(join(folder, 'bm'), 0)
    chmodSync(folder, 0o755)
    if (process.getuid?.() === 0) process.seteuid?.(65534)
    const { report, coverage } = await read(folder)
    expect(report.clusters.map(c => c.name)).toEqual(['hub', 'bm'])
    expect(coverage('bm', 'Application')).toEqual({ state: 'refused', reason: 'bm: permission denied' })
  })
})

describe('interrupts and large files', () => {
  it('an aborted signal ends the reading with its reason', async () => {
    const source = await openPath(tempFile('a.json', listOf(app('x', 'a'))))
    const reason = new Error('interrupted')
    await expect(source.read(new Set(), { object() {} }, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('an error in the sink comes out as it is', async () => {
    const source = await openPath(tempFile('a.json', listOf(app('x', 'a'))))
    const bug = new Error('bug')
    const sink = {
      object() {
        throw bug
      },
    }
    await expect(source.read(new Set<KindName>(['Application']), sink)).rejects.toBe(bug)
  })

  it('a JSON file of 200 MB is read, and its list is not kept', async () => {
    const item = JSON.stringify(app('x', 'NAME', { spec: { text: 'y'.repeat(4000) } }))
    const items = Array.from({ length: 50_000 }, (_, i) => item.replace('NAME', `app-${i}`))
    const path = tempFile(
      'applications.argoproj.io.json',
      `{"apiVersion":"v1","kind":"List","items":[${items.join(',\n')}]}`,
    )
    items.length = 0
    const source = await openPath(path)
    let count = 0
    const report = await source.read(new Set<KindName>(['Application']), { object: () => count++ })
    expect(count).toBe(50_000)
    expect(report.problems).toEqual([])
  })
})
