// Finds kube-apiserver, etcd and kubectl for the tests against a real API server, or builds them once from source.
// `node test/apiserver/binaries.mjs` builds what is missing and prints the folder.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const NAMES = ['etcd', 'kube-apiserver', 'kubectl']
const TARGETS = ['go.etcd.io/etcd/server/v3', 'k8s.io/kubernetes/cmd/kube-apiserver', 'k8s.io/kubernetes/cmd/kubectl']
const OLDEST_GO = [1, 25]
const STALE_LOCK_MS = 30 * 60_000

export const KUBERNETES_VERSION =
  /k8s\.io\/kubernetes (v\S+)/.exec(readFileSync(join(HERE, 'go.mod'), 'utf8'))?.[1] ?? 'unknown'

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'fleetctl-test', KUBERNETES_VERSION)
}

function holdsAll(folder) {
  return NAMES.every(name => existsSync(join(folder, name)))
}

/** Folder with all three binaries, or undefined where they are not there (yet). */
export function findBinaries() {
  const assets = process.env.KUBEBUILDER_ASSETS
  if (assets && holdsAll(assets)) return assets
  return holdsAll(cacheFolder()) ? cacheFolder() : undefined
}

function hasGo() {
  try {
    const version = /go(\d+)\.(\d+)/.exec(execFileSync('go', ['version'], { encoding: 'utf8' }))
    const [major, minor] = [Number(version?.[1]), Number(version?.[2])]
    return major > OLDEST_GO[0] || (major === OLDEST_GO[0] && minor >= OLDEST_GO[1])
  } catch {
    return false
  }
}

/** Why there can be no API server here, in one line; undefined where there is one or it can be built. */
export function whyNoApiServer() {
  if (findBinaries() !== undefined || hasGo()) return undefined
  return 'no kube-apiserver: install Go 1.25 or newer, or set KUBEBUILDER_ASSETS (setup-envtest use -p env)'
}

/** The folder with the binaries; builds them where needed, which takes minutes the first time. */
export async function ensureBinaries() {
  const found = findBinaries()
  if (found !== undefined) return found
  const why = whyNoApiServer()
  if (why !== undefined) throw new Error(why)
  const folder = cacheFolder()
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, 'building')
  // Several test processes may want them at once; one builds, the others wait.
  while (!takeLock(lock)) {
    await new Promise(resolve => setTimeout(resolve, 1000))
    if (holdsAll(folder)) return folder
  }
  try {
    if (!holdsAll(folder)) await build(folder)
  } finally {
    rmSync(lock, { force: true })
  }
  return folder
}

function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (age > STALE_LOCK_MS) rmSync(lock, { force: true })
    return false
  }
}

async function build(folder) {
  process.stderr.write(`building etcd, kube-apiserver and kubectl ${KUBERNETES_VERSION} (once, about five minutes)\n`)
  const work = join(folder, '.build')
  mkdirSync(work, { recursive: true })
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(KUBERNETES_VERSION) ?? []
  const version = 'k8s.io/component-base/version'
  const ldflags = `-s -w -X ${version}.gitVersion=${KUBERNETES_VERSION} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`
  await run(['go', 'build', '-trimpath', '-ldflags', ldflags, '-o', `${work}/`, ...TARGETS])
  renameSync(join(work, 'server'), join(work, 'etcd'))
  for (const name of NAMES) renameSync(join(work, name), join(folder, name))
  rmSync(work, { recursive: true })
}

function run(command) {
  const [program, ...args] = process.platform === 'win32' ? command : ['nice', '-n', '10', ...command]
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: HERE,
      stdio: ['ignore', 'inherit', 'inherit'],
      // Half of the cores stay free for whoever works on the machine meanwhile.
      env: { ...process.env, GOFLAGS: `${process.env.GOFLAGS ?? ''} -p=2 -mod=readonly`.trim() },
    })
    child.once('error', reject)
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`go build ended with ${code}`))))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await ensureBinaries())
}
