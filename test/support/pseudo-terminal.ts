import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/** Keys as a terminal sends them. */
export const KEYS = { enter: '\r', down: '\x1b[B', up: '\x1b[A', space: ' ', ctrlC: '\x03' } as const

/** util-linux has `script`, which makes a pseudo-terminal without native modules; other systems' `script` takes other flags. */
export const hasPseudoTerminal: boolean =
  process.platform === 'linux' && spawnSync('script', ['--version']).stdout?.includes('util-linux') === true

/** A program on a real pseudo-terminal: what it draws is seen, keys are sent. */
export class PseudoTerminal {
  readonly #child: ChildProcessWithoutNullStreams
  #drawn = ''
  /** How much of what was drawn has been looked at. */
  #seen = 0
  readonly exit: Promise<number>

  constructor(command: string, env: Readonly<Record<string, string>>, columns = 100) {
    // `exec`: the program itself is what is interrupted.
    const line = `stty cols ${columns} rows 50; exec ${command}`
    this.#child = spawn('script', ['-qefc', line, '/dev/null'], { env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' } })
    this.#child.stdout.on('data', chunk => {
      this.#drawn += String(chunk)
    })
    this.exit = new Promise(resolve => this.#child.once('exit', code => resolve(code ?? -1)))
  }

  /** Everything that was drawn, without escapes. */
  get text(): string {
    return stripVTControlCharacters(this.#drawn)
  }

  /** Waits until something is drawn that has not been looked at. */
  async see(what: string | RegExp, ms = 120_000): Promise<void> {
    const deadline = Date.now() + ms
    for (;;) {
      const fresh = this.text.slice(this.#seen)
      const at = typeof what === 'string' ? fresh.indexOf(what) : fresh.search(what)
      if (at >= 0) {
        this.#seen += at + 1
        return
      }
      if (Date.now() > deadline) throw new Error(`waited in vain for ${what}; drawn was:\n${this.text.slice(-2000)}`)
      await new Promise(resolve => setTimeout(resolve, 30))
    }
  }

  /** Sends keys one after another, as a person does. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#child.stdin.write(key)
      await new Promise(resolve => setTimeout(resolve, 60))
    }
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }
}
