import { isObject } from '../../raw.ts'
import { LAST_APPLIED } from '../labels.ts'
import type { AppProject, ArgoCD } from '../records.ts'
import { projectBase, projectConditions } from './common.ts'
import type { Fields } from './fields.ts'

export function appProject(cluster: string, o: Fields): AppProject {
  const spec = o.obj('spec')
  const { subject, meta } = projectBase(cluster, 'AppProject', o)
  return {
    subject,
    meta,
    destinations: spec
      .objs('destinations')
      .map(d => ({ server: d.str('server'), name: d.str('name'), namespace: d.str('namespace') })),
    sourceRepos: spec.strs('sourceRepos'),
    sourceNamespaces: spec.strs('sourceNamespaces'),
  }
}

/** Paths of `applied` that `is` lacks; what holds a list or a value is a leaf. */
function* lacking(applied: unknown, is: unknown, path: string): Generator<string> {
  if (is === undefined) yield path
  else if (isObject(applied) && isObject(is))
    for (const [key, value] of Object.entries(applied)) yield* lacking(value, is[key], `${path}.${key}`)
}

/** The API server drops fields that a CRD does not know without a word (agent-mode.md 0.1). */
function droppedFields(o: Fields): readonly string[] {
  const text = o.obj('metadata').obj('annotations').str(LAST_APPLIED)
  if (text === '') return []
  let applied: unknown
  try {
    applied = JSON.parse(text)
  } catch {
    return []
  }
  const wanted = isObject(applied) && isObject(applied.spec) ? applied.spec : {}
  const spec = isObject(o.raw.spec) ? o.raw.spec : {}
  return ['argoCDAgent', 'controller'].flatMap(key =>
    wanted[key] === undefined ? [] : [...lacking(wanted[key], spec[key], `.spec.${key}`)],
  )
}

export function argoCD(cluster: string, o: Fields): ArgoCD {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const mode = spec.obj('argoCDAgent')
  const p = mode.obj('principal')
  const a = mode.obj('agent')
  const client = a.obj('client')
  const server = p.obj('server')
  const { subject, meta } = projectBase(cluster, 'ArgoCD', o)
  return {
    subject,
    meta,
    controllerEnabled: spec.obj('controller').bool('enabled') ?? true,
    serverEnabled: spec.obj('server').bool('enabled'),
    sourceNamespaces: spec.strs('sourceNamespaces'),
    applicationSetSourceNamespaces: spec.obj('applicationSet').strs('sourceNamespaces'),
    principal: mode.has('principal')
      ? {
          enabled: p.bool('enabled') ?? false,
          destinationBasedMapping: p.bool('destinationBasedMapping') ?? false,
          auth: p.str('auth'),
          allowedNamespaces: p.obj('namespace').strs('allowedNamespaces'),
          routeEnabled: server.obj('route').bool('enabled'),
          serviceType: server.obj('service').str('type'),
          redisAddress: p.obj('redis').str('serverAddress'),
        }
      : undefined,
    agent: mode.has('agent')
      ? {
          enabled: a.bool('enabled') ?? false,
          mode: client.str('mode'),
          principalAddress: client.str('principalServerAddress'),
          principalPort: client.str('principalServerPort'),
          destinationBasedMapping: a.obj('destinationBasedMapping').bool('enabled') ?? false,
          createNamespace: a.obj('destinationBasedMapping').bool('createNamespace') ?? false,
          allowedNamespaces: a.strs('allowedNamespaces'),
        }
      : undefined,
    ha: spec.obj('ha').bool('enabled') ?? false,
    dropped: droppedFields(o),
    phase: status.str('phase'),
    conditions: projectConditions(status),
  }
}
