import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'

const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * A server that dies with this process, whatever ends it: a small shell waits on a pipe from here, and the end of the pipe
 * ends the server.
 */
const GUARD = 'exec 3<&0; "$@" </dev/null & pid=$!; (cat <&3 >/dev/null; kill -9 $pid 2>/dev/null) & wait $pid'

export interface Service {
  readonly log: string
  /** Undefined while it runs. */
  exitCode(): number | null | undefined
  stop(): Promise<void>
}

/** Starts a server; its output goes to a file. */
export function startService(program: string, args: readonly string[], log: string): Service {
  const out = openSync(log, 'a')
  const child = spawn('sh', ['-c', GUARD, 'sh', program, ...args], { stdio: ['pipe', out, out] })
  running.add(child)
  let code: number | null | undefined
  const ended = new Promise<void>(resolve => {
    child.once('exit', exit => {
      running.delete(child)
      code = exit
      child.stdin?.destroy()
      resolve()
    })
  })
  return {
    log,
    exitCode: () => code,
    async stop() {
      child.stdin?.end()
      await ended
    },
  }
}

/** Waits until `ready` says true; fails early when the service ends, and then shows the end of its log. */
export async function waitReady(service: Service, what: string, ready: () => Promise<boolean>, ms = 300_000) {
  const deadline = Date.now() + ms
  for (;;) {
    if (await ready().catch(() => false)) return
    const isOver = service.exitCode() !== undefined
    if (isOver || Date.now() > deadline) {
      const tail = readFileSync(service.log, 'utf8').split('\n').slice(-15).join('\n')
      throw new Error(`${what} ${isOver ? 'ended' : 'is not ready'}:\n${tail}`)
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** Free TCP ports on the loopback interface, all different. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  return Promise.all(
    servers.map(async server => {
      const address = server.address()
      await new Promise<void>(resolve => server.close(() => resolve()))
      return typeof address === 'object' && address !== null ? address.port : 0
    }),
  )
}
