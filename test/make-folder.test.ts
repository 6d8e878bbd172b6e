import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeFolder } from '../src/make-folder.ts'

const home = mkdtempSync(join(tmpdir(), 'fleetctl-folder-'))
afterAll(() => rmSync(home, { recursive: true }))

describe('makeFolder', () => {
  test('makes what is missing, with the mode, and takes what is there', () => {
    makeFolder(join(home, 'a/b/c'), 0o700)
    makeFolder(join(home, 'a/b/c'), 0o700)
    expect(statSync(join(home, 'a/b')).mode & 0o777).toBe(0o700)
    expect(existsSync(join(home, 'a/b/c'))).toBe(true)
  })

  test('says that a file is in the way', () => {
    writeFileSync(join(home, 'file'), '')
    expect(() => makeFolder(join(home, 'file'))).toThrow(/EEXIST/)
    expect(() => makeFolder(join(home, 'file/below'))).toThrow(/ENOTDIR|EEXIST/)
  })

  test.runIf(existsSync('/proc/1'))('comes to an end where a file system knows no such folder', () => {
    expect(() => makeFolder('/proc/1/below/here')).toThrow(/ENOENT|EACCES|EPERM/)
  })
})
