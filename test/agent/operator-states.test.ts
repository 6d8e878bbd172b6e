import { describe, expect, it } from 'vitest'
import { runDoctor } from '../../src/doctor.ts'
import { fieldChanges } from '../../src/plan/diff.ts'
import { argoCdPrincipal } from '../../src/plan/manifests/argocd.ts'
import { merge } from '../../src/plan/values.ts'
import { isObject, type RawObject, textAt, valueAt } from '../../src/raw.ts'
import { sourceOf } from '../support/hub.ts'
import { type OperatorState, operatorState } from '../support/operator-states.ts'

const states = new Map<OperatorState, readonly RawObject[]>()
function objectsOf(state: OperatorState): readonly RawObject[] {
  const found = states.get(state) ?? operatorState(state)
  states.set(state, found)
  return found
}

const nameOf = (object: RawObject): string => textAt(object, 'metadata', 'name')
const keyOf = (object: RawObject): string =>
  [textAt(object, 'kind'), textAt(object, 'metadata', 'namespace'), nameOf(object)].join('/')
const ofKind = (state: OperatorState, ...kinds: readonly string[]): readonly RawObject[] =>
  objectsOf(state).filter(object => kinds.includes(textAt(object, 'kind')))
const keys = (state: OperatorState, ...kinds: readonly string[]): ReadonlySet<string> =>
  new Set(ofKind(state, ...kinds).map(keyOf))
const less = (a: ReadonlySet<string>, b: ReadonlySet<string>): readonly string[] => [...a].filter(key => !b.has(key))

function argoOf(state: OperatorState, name = 'openshift-gitops'): RawObject {
  const found = ofKind(state, 'ArgoCD').find(object => nameOf(object) === name)
  if (found === undefined) throw new Error(`no ArgoCD ${name} in ${state}`)
  return found
}

/** What a plan sets on the ArgoCD resource to make it a principal. */
function wanted(controllerEnabled: boolean) {
  return argoCdPrincipal(kind => (kind === 'ArgoCD' ? 'argoproj.io/v1beta1' : 'v1'), {
    namespace: 'openshift-gitops',
    name: 'openshift-gitops',
    controllerEnabled,
    applicationNamespaces: ['*'],
  })
}

const RBAC = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']
const WORKLOADS = ['Deployment', 'StatefulSet', 'Service', 'ServiceAccount']

describe('what a plan sets on the ArgoCD resource, held against the operator', () => {
  it.each([
    ['principal', false],
    ['hybrid', true],
  ] as const)(
    'makes of the plain one what was recorded as %s, but for sourceNamespaces',
    (state, controllerEnabled) => {
      const { sourceNamespaces, ...spec } = valueAt(argoOf(state), 'spec') as RawObject
      expect(sourceNamespaces).toEqual(['*'])
      expect(valueAt(merge(argoOf('plain'), wanted(controllerEnabled)), 'spec')).toEqual(spec)
    },
  )

  it('changes nothing where it is set already', () => {
    expect(fieldChanges(wanted(false), argoOf('principal'))).toEqual([])
    expect(fieldChanges(wanted(true), argoOf('hybrid'))).toEqual([])
  })

  it('keeps what the article leaves out: a client-side apply of its resource would drop the ApplicationSet controller', () => {
    expect(isObject(valueAt(argoOf('plain'), 'spec', 'applicationSet'))).toBe(true)
    expect(valueAt(wanted(false), 'spec', 'applicationSet')).toBeUndefined()
    const controller = 'Deployment/openshift-gitops/openshift-gitops-applicationset-controller'
    for (const state of ['principal', 'hybrid', 'reverted'] as const)
      expect(keys(state, 'Deployment')).toContain(controller)
  })

  it('leaves out sourceNamespaces, which writes into every namespace', () => {
    expect(valueAt(wanted(false), 'spec', 'sourceNamespaces')).toBeUndefined()
    const elsewhere = less(keys('principal', ...RBAC), keys('plain', ...RBAC)).filter(
      key => key.split('/')[1] !== '' && key.split('/')[1] !== 'openshift-gitops',
    )
    expect(elsewhere.length).toBeGreaterThan(4)
    expect(elsewhere).toContain('Role/kube-system/openshift-gitops_kube-system')
    // All of them are the operator's answer to that one field.
    expect(elsewhere.filter(key => !key.includes('/openshift-gitops_'))).toEqual([])
  })
})

describe('what taking the three fields away brings back', () => {
  it('is every object that was there, and none besides', () => {
    for (const kinds of [RBAC, WORKLOADS]) {
      expect(less(keys('plain', ...kinds), keys('reverted', ...kinds))).toEqual([])
      expect(less(keys('reverted', ...kinds), keys('plain', ...kinds))).toEqual([])
    }
    expect(valueAt(argoOf('reverted'), 'spec')).toEqual(valueAt(argoOf('plain'), 'spec'))
  })

  it('is the Redis address of server and repo-server, too', () => {
    const redis = (state: OperatorState, part: string): boolean =>
      JSON.stringify(ofKind(state, 'Deployment').find(d => nameOf(d) === `openshift-gitops-${part}`)).includes(
        'agent-principal-redisproxy',
      )
    for (const part of ['server', 'repo-server'])
      expect(['plain', 'principal', 'hybrid', 'reverted'].map(state => redis(state as OperatorState, part))).toEqual([
        false,
        true,
        true,
        false,
      ])
  })
})

describe('a second Argo CD as principal', () => {
  const found = async (state: OperatorState): Promise<readonly string[]> =>
    (await runDoctor(sourceOf(objectsOf(state)))).findings.map(f => f.code)

  it('that the operator was not told of is found, and is no finding once it was', async () => {
    expect(await found('dedicated-not-listed')).toContain('FLT0830')
    expect(await found('dedicated-listed')).not.toContain('FLT0830')
  })

  it('leaves Roles behind only in namespaces that sourceNamespaces opened', () => {
    const left = [...keys('deleted', 'Role', 'RoleBinding')].filter(key => key.includes('agent-hub'))
    expect(left.length).toBeGreaterThan(0)
    expect(left.filter(key => !key.includes('/agent-hub_'))).toEqual([])
  })
})
