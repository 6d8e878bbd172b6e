import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { type KubeOverrides, type KubeTarget, resolveTarget } from '../../src/kube/target.ts'
import { listAt, valueAt } from '../../src/raw.ts'
import { findBinaries } from '../apiserver/binaries.mjs'

const folder = mkdtempSync(join(tmpdir(), 'fleetctl-kubeconfig-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'sub', 'certs'), { recursive: true })
mkdirSync(join(folder, 'home', '.kube'), { recursive: true })

const write = (name: string, content: string): string => {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

const FIRST = write(
  'first.yaml',
  `
apiVersion: v1
kind: Config
clusters:
- name: hub
  cluster: { server: "https://hub.example.com:6443", certificate-authority: certs/ca.crt, tls-server-name: api.hub }
users:
- name: admin
  user: { token: first-token }
contexts:
- name: hub
  context: { cluster: hub, user: admin, namespace: from-first }
`,
)
const SECOND = write(
  'sub/second.yaml',
  `
apiVersion: v1
kind: Config
current-context: spoke
clusters:
- name: hub
  cluster: { server: "https://other.example.com" }
- name: spoke
  cluster: { server: "https://spoke.example.com:6443/k8s/clusters/c-1", insecure-skip-tls-verify: true, proxy-url: "http://proxy:3128" }
users:
- name: admin
  user: { token: second-token }
- name: with-file
  user: { tokenFile: certs/token, as: jane, as-uid: "7", as-groups: [devs, ops], as-user-extra: { "example.com/team": [a, b] } }
- name: with-certificate
  user: { client-certificate: certs/me.crt, client-key: certs/me.key }
- name: with-exec
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [token, --quiet]
      env: [{ name: PROFILE, value: prod }]
      interactiveMode: Never
      provideClusterInfo: true
contexts:
- name: spoke
  context: { cluster: spoke, user: with-file }
- name: by-certificate
  context: { cluster: spoke, user: with-certificate, namespace: apps }
- name: by-exec
  context: { cluster: hub, user: with-exec }
`,
)
for (const name of ['me.crt', 'me.key', 'token']) write(`sub/certs/${name}`, 'x')
mkdirSync(join(folder, 'certs'))
write('certs/ca.crt', 'x')
const EMPTY = write('empty.yaml', '')
write(
  'home/.kube/config',
  'current-context: at-home\ncontexts: [{name: at-home, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: "https://home"}}]\nusers: [{name: u, user: {}}]\n',
)
const ABSENT = join(folder, 'absent.yaml')

interface Case {
  readonly name: string
  readonly files: readonly string[]
  readonly context?: string
}

const CASES: readonly Case[] = [
  { name: 'the first file wins, the first current-context counts', files: [FIRST, SECOND] },
  { name: 'in the other order', files: [SECOND, FIRST], context: 'hub' },
  { name: 'missing and empty files are skipped', files: [ABSENT, EMPTY, SECOND] },
  { name: 'the same file twice', files: [SECOND, SECOND] },
  { name: 'a context of the first file', files: [FIRST, SECOND], context: 'hub' },
  { name: 'a context of the second file, cluster of the first', files: [FIRST, SECOND], context: 'by-exec' },
  { name: 'client certificate', files: [FIRST, SECOND], context: 'by-certificate' },
  { name: '~/.kube/config without KUBECONFIG', files: [] },
]

function resolved({ files, context }: Case): KubeTarget {
  const place = { env: { KUBECONFIG: files.join(':') }, home: join(folder, 'home') }
  return resolveTarget(loadKubeconfig(place), context === undefined ? {} : { context }, place)
}

function filled(o: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (v: unknown): boolean =>
    v === '' || v === false || v === undefined || ['[]', '{}'].includes(JSON.stringify(v))
  return Object.fromEntries(Object.entries(o).filter(([, v]) => !isEmpty(v)))
}

/** The same fields as kubectl prints them; empty ones are left out there, and paths are as in the file. */
function asKubectl({ cluster, user, namespace }: KubeTarget): unknown {
  const { exec } = user
  const asInFile = (file: string): string => relative(file.includes('/sub/') ? join(folder, 'sub') : folder, file)
  const path = (file: string): string => (file === '' ? '' : asInFile(file))
  return {
    namespace,
    cluster: filled({
      server: cluster.server,
      'certificate-authority': path(cluster.certificateAuthority),
      'insecure-skip-tls-verify': cluster.insecureSkipTlsVerify,
      'tls-server-name': cluster.tlsServerName,
      'proxy-url': cluster.proxyUrl,
    }),
    user: filled({
      token: user.token,
      tokenFile: path(user.tokenFile),
      'client-certificate': path(user.clientCertificate),
      'client-key': path(user.clientKey),
      as: user.as,
      'as-uid': user.asUid,
      'as-groups': user.asGroups,
      'as-user-extra': user.asUserExtra,
      exec: exec && {
        apiVersion: exec.apiVersion,
        command: `./${path(exec.command)}`,
        args: exec.args,
        env: Object.entries(exec.env).map(([name, value]) => ({ name, value })),
        interactiveMode: exec.interactiveMode,
        provideClusterInfo: exec.provideClusterInfo,
      },
    }),
  }
}

const binaries = findBinaries()

describe.skipIf(binaries === undefined)('the same as kubectl config view --minify', () => {
  it.each(CASES)('$name', c => {
    const printed = execFileSync(
      join(binaries ?? '', 'kubectl'),
      [
        'config',
        'view',
        '--minify',
        '--raw',
        '-o',
        'json',
        ...(c.context === undefined ? [] : [`--context=${c.context}`]),
      ],
      { env: { HOME: join(folder, 'home'), KUBECONFIG: c.files.join(':') }, encoding: 'utf8' },
    )
    const view: unknown = JSON.parse(printed)
    const inner = (lists: string, key: string): unknown => valueAt(listAt(view, lists)[0], key)
    expect(asKubectl(resolved(c))).toEqual({
      namespace: valueAt(inner('contexts', 'context'), 'namespace') ?? 'default',
      cluster: inner('clusters', 'cluster'),
      user: filled((inner('users', 'user') ?? {}) as Record<string, unknown>),
    })
  })
})

describe('resolveTarget', () => {
  const place = (files: readonly string[]) => ({ env: { KUBECONFIG: files.join(':') }, home: '/nowhere' })
  const target = (files: readonly string[], flags: KubeOverrides = {}) =>
    resolveTarget(loadKubeconfig(place(files), flags.kubeconfig), flags, place(files))

  it('gives the context its namespace', () => {
    expect(target([FIRST, SECOND], { context: 'hub' }).namespace).toBe('from-first')
    expect(target([SECOND]).namespace).toBe('default')
  })

  it('lets --token replace every other credential, certificates included', () => {
    const { user } = target([SECOND], { context: 'by-certificate', token: 'mine' })
    expect([user.token, user.clientCertificate, user.clientKey]).toEqual(['mine', '', ''])
    expect(target([SECOND], { token: 'mine' }).user).toMatchObject({ token: 'mine', tokenFile: '', as: 'jane' })
  })

  it.each([
    ['a context that is not there', [FIRST], { context: 'nope' }, /context "nope" does not exist .*contexts: hub/],
    ['a user that is not there', [FIRST], { context: 'hub', user: 'nope' }, /user "nope" does not exist/],
    ['a cluster that is not there', [FIRST], { context: 'hub', cluster: 'nope' }, /cluster "nope" does not exist/],
    ['no current context', [FIRST], {}, /leads to no server; choose one with --context \(contexts: hub\)/],
    ['nothing at all', [ABSENT], {}, /no kubeconfig found .* --kubeconfig/],
    ['an explicit file that is not there', [FIRST], { kubeconfig: ABSENT }, /kubeconfig .*absent.yaml does not exist/],
    ['a group without a user', [FIRST], { context: 'hub', asGroups: ['g'] }, /pass --as/],
    ['a certificate without its key', [FIRST], { context: 'hub', clientCertificate: '/x.crt' }, /no client key/],
    ['a server that is no URL', [FIRST], { context: 'hub', server: 'hub:6443' }, /not an http or https URL/],
  ])('says so for %s', (_, files, flags, message) => {
    expect(() => target(files, flags)).toThrow(message)
  })

  it.each([
    ['YAML that does not parse', 'clusters: [\n', /not valid YAML/],
    ['a list', '- a\n', /holds no kubeconfig/],
    ['a name twice', 'users: [{name: a, user: {}}, {name: a, user: {}}]', /two users called "a"/],
    ['a token that is a number', 'users: [{name: a, user: {token: 123456}}]', /token is not a string/],
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]`,
      /not valid YAML/,
    ],
  ])('refuses %s, naming the file', (_, content, message) => {
    const file = write('broken.yaml', content)
    expect(() => target([file])).toThrow(message)
    expect(() => target([file])).toThrow('broken.yaml')
  })

  it('takes null lists and wrong types for absent', () => {
    const file = write('odd.yaml', 'clusters: null\nusers: 7\ncontexts: [null, 3, {name: x}]\ncurrent-context: x')
    expect(() => target([file])).toThrow(/leads to no server/)
  })

  it('uses the ServiceAccount inside a pod, when there is no kubeconfig', () => {
    mkdirSync(join(folder, 'sa'), { recursive: true })
    write('sa/token', 'pod-token')
    write('sa/namespace', 'argocd\n')
    write('sa/ca.crt', 'x')
    const pod = {
      env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' },
      home: '/nowhere',
      serviceAccountFolder: join(folder, 'sa'),
    }
    expect(resolveTarget(loadKubeconfig(pod), {}, pod)).toMatchObject({
      context: 'in-cluster',
      namespace: 'argocd',
      cluster: { server: 'https://[fd00::1]:443', certificateAuthority: join(folder, 'sa', 'ca.crt') },
      user: { tokenFile: join(folder, 'sa', 'token') },
    })
    expect(resolveTarget(loadKubeconfig({ ...pod, env: { ...pod.env, KUBECONFIG: SECOND } }), {}, pod).context).toBe(
      'spoke',
    )
  })
})
