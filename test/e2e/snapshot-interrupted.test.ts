import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ROOT, requireBuild } from './binary.ts'

beforeAll(requireBuild)

test('Ctrl-C leaves nothing behind: no half snapshot, and nothing that is not redacted yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetctl-snapshot-'))
  // An API server that takes the connection and never answers.
  const sockets = new Set<Socket>()
  const server = createServer(socket => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    const argv = ['snapshot', '-o', 'fleet', '--redact', '--server', `http://127.0.0.1:${port}`, '--token', 'x']
    const child = spawn(process.execPath, [join(ROOT, 'bin/fleetctl.js'), ...argv], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
    })
    await once(server, 'connection')
    // The files of a snapshot that is in the making.
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.fleet\.[0-9a-f]+\.tmp$/)])
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect(code).toBe(130)
    expect(readdirSync(folder)).toEqual([])
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
