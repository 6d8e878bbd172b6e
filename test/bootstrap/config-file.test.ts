import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandOf } from '../../src/bootstrap/command.ts'
import { readBootstrapFile, writeBootstrapFile } from '../../src/bootstrap/config-file.ts'
import { SETTING_NAMES, type Settings } from '../../src/bootstrap/settings.ts'
import { schemaOf } from '../../src/output/schema/schemas.ts'
import { shellLine } from '../../src/plan/shell.ts'

/** Every setting once. */
const ALL: Settings = {
  model: 'pull',
  namespace: 'argocd',
  set: 'demo',
  clusters: ['bm', 'sno'],
  selector: 'region=eu',
  placement: 'demo',
  predicate: ['vendor=OpenShift', 'env in (prod,qa)'],
  claim: ['platform=AWS'],
  cel: ['true'],
  numberOfClusters: 2,
  gitopscluster: 'g',
  blankSecrets: true,
  appset: 'a',
  appName: 'a-{{name}}',
  repoUrl: 'https://git.example.test/x.git',
  path: 'apps/{{name}}',
  revision: 'main',
  project: 'retail',
  destNamespace: 'shop',
  sync: 'manual',
  onLeave: 'keep',
  requeueSeconds: 60,
  serviceAccount: 'd',
  preset: 'deployer',
  grantNamespaces: ['shop'],
  rules: [{ apiGroups: [''], resources: ['services'], verbs: ['get'] }],
  readSecrets: false,
  spokeGitops: 'policy',
  spokeNamespace: 'openshift-gitops',
  policyNamespace: 'acm-policies',
  channel: 'gitops-1.22',
  spokeRights: 'namespaces',
  managedNamespaces: ['shop'],
  setup: 'hybrid',
}

const validate = new Ajv2020({ strict: false }).compile(schemaOf('FleetBootstrap') ?? {})

describe('a FleetBootstrap', () => {
  it('holds every setting, comes back as it was written, and keeps to its schema', () => {
    expect(Object.keys(ALL).sort()).toEqual([...SETTING_NAMES].sort())
    const text = writeBootstrapFile(ALL)
    expect(readBootstrapFile(text, 'x.yaml')).toEqual(ALL)
    expect(validate(parse(text)) ? [] : validate.errors).toEqual([])
  })

  it.each([
    ['spec:\n  clusterset:\n    name: x', /^x.yaml:4: unknown key "spec.clusterset"; did you mean "clusterSet"/],
    ['spec:\n  clusterSet:\n    nmae: x', /^x.yaml:5: unknown key "spec.clusterSet.nmae"; did you mean "name"/],
    ['spec:\n  model: puhs', /^x.yaml:4: spec.model: expected push, pull, agent/],
    ['spec:\n  placement:\n    numberOfClusters: many', /^x.yaml:5: .*whole number/],
    ['spec:\n  clusterSet:\n    clusters: bm', /^x.yaml:5: .*list of texts/],
    ['spec:\n  serviceAccount:\n    rules:\n      - verb: [get]', /unknown key "verb" in a rule/],
    ['spec: []', /spec must be a map/],
    ['spec:\n  model: push\n  model: pull', /^x.yaml:5: not valid YAML: Map keys must be unique$/],
    ['spec: {}\n---\nspec: {}', /^x.yaml:4: a second document begins; the file holds one$/],
    ['spec:\n  ? [a]\n  : b', /^x.yaml:4: a key must be a text/],
    ['spec: {}\nextra: 1', /^x.yaml:4: unknown key "extra"/],
    ['spec: {', /^x.yaml:\d+: /],
  ])('with %j is refused with the line', (rest, message) => {
    const text = `apiVersion: fleetctl/v1\nkind: FleetBootstrap\n${rest}\n`
    expect(() => readBootstrapFile(text, 'x.yaml')).toThrow(message)
  })

  it.each([
    ['kind: Other\napiVersion: fleetctl/v1\nspec: {}', /kind must be FleetBootstrap/],
    ['kind: FleetBootstrap\nspec: {}', /apiVersion is missing/],
    ['- a', /must be a map/],
    ['', /must be a map/],
  ])('that is another document (%j) is refused', (text, message) => {
    expect(() => readBootstrapFile(text, 'x.yaml')).toThrow(message)
  })
})

describe('the equivalent command', () => {
  it('quotes for a shell, gives lists their commas or flags of their own, and leaves the model to its word', () => {
    const line = shellLine(commandOf(['bootstrap', 'pull'], ALL))
    expect(line).toMatch(/^bootstrap pull --namespace argocd --set demo --clusters bm,sno /)
    expect(line).toContain("--predicate vendor=OpenShift --predicate 'env in (prod,qa)'")
    expect(line).toContain("--path 'apps/{{name}}'")
    expect(line).toContain(' --blank-secrets ')
    expect(line).not.toContain('--model')
    expect(line).not.toContain('--read-secrets')
    expect(shellLine(["it's"])).toBe("'it'\\''s'")
  })
})
