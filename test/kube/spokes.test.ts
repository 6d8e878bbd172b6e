import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { spokeRefs } from '../../src/kube/spokes.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleetctl-spokes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (content: string): string => {
  const file = join(folder, 'spokes.yaml')
  writeFileSync(file, content)
  return file
}

describe('spokeRefs', () => {
  it('takes the context of the same name, unless told otherwise', () => {
    expect(spokeRefs({ spokes: ['bm', 'sno'], spokeContexts: ['sno=admin@sno=1'] })).toEqual([
      { name: 'sno', context: 'admin@sno=1', kubeconfig: '' },
      { name: 'bm', context: 'bm', kubeconfig: '' },
    ])
  })

  it('reads a file with contexts and kubeconfigs, whose paths count from its folder', () => {
    const spokesFrom = write(
      'bm: admin@bm\nsno: { kubeconfig: sub/sno.yaml }\nabs: { kubeconfig: /etc/k, context: c }\n',
    )
    expect(spokeRefs({ spokesFrom })).toEqual([
      { name: 'bm', context: 'admin@bm', kubeconfig: '' },
      { name: 'sno', context: '', kubeconfig: join(folder, 'sub', 'sno.yaml') },
      { name: 'abs', context: 'c', kubeconfig: '/etc/k' },
    ])
    expect(spokeRefs({ spokesFrom, spokes: ['sno', 'other'] }).map(s => s.name)).toEqual(['sno', 'other'])
    expect(spokeRefs({ spokesFrom, spokeContexts: ['bm=mine'] })[0]).toMatchObject({ context: 'mine' })
  })

  it('is empty without flags', () => {
    expect(spokeRefs({})).toEqual([])
  })

  it.each([
    ['no equals sign', () => spokeRefs({ spokeContexts: ['bm'] }), /use NAME=CONTEXT/],
    ['no context', () => spokeRefs({ spokeContexts: ['bm='] }), /use NAME=CONTEXT/],
    ['no name', () => spokeRefs({ spokeContexts: ['=x'] }), /use NAME=CONTEXT/],
    ['no file', () => spokeRefs({ spokesFrom: '/no/such/file' }), /--spokes-from \/no\/such\/file cannot be read/],
    ['a list', () => spokeRefs({ spokesFrom: write('- bm\n') }), /no mapping/],
    [
      'an empty entry',
      () => spokeRefs({ spokesFrom: write('bm:\n') }),
      /"bm" names neither a context nor a kubeconfig/,
    ],
    ['broken YAML', () => spokeRefs({ spokesFrom: write('bm: [\n') }), /cannot be read/],
  ])('says what is wrong for %s', (_, run, message) => {
    expect(run).toThrow(message)
  })
})
