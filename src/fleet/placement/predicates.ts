import type { ClusterPredicate, LabelExpression, ManagedCluster, StringMap } from '../records.ts'
import type { CelCompiler, CelProgram } from './cel.ts'
import { matchesRequirement, requirementsError, requirementsOf, requirementText } from './selector.ts'

/**
 * The predicates of a Placement, compiled. Source: open-cluster-management-io/ocm
 * pkg/placement/plugins/predicate/predicate.go, pkg/placement/helpers/clusters.go.
 */
export interface PredicateFilter {
  /** The first invalid selector or expression, as in PlacementMisconfigured without the plugin's name. */
  readonly error: string | undefined
  /** Why it cannot be told whether all expressions are valid. */
  readonly unknown: string | undefined
  /** Whether a cluster matches one of the predicates; undefined when it cannot be told. */
  matches(cluster: ManagedCluster): boolean | undefined
  /** Why a cluster matches none, in words. */
  detail(cluster: ManagedCluster): string
}

interface CelPart {
  readonly expression: string
  readonly program: CelProgram
}

interface Compiled {
  readonly labels: readonly LabelExpression[]
  readonly claims: readonly LabelExpression[]
  readonly cel: readonly CelPart[]
}

function celResult({ program }: CelPart, cluster: ManagedCluster): boolean | undefined {
  return program.state === 'compiled' ? program.matches(cluster) : undefined
}

function matchesAll(predicate: Compiled, cluster: ManagedCluster): boolean | undefined {
  if (!predicate.labels.every(r => matchesRequirement(cluster.meta.labels, r))) return false
  if (!predicate.claims.every(r => matchesRequirement(cluster.claims, r))) return false
  const results = predicate.cel.map(part => celResult(part, cluster))
  return results.includes(false) ? false : results.includes(undefined) ? undefined : true
}

function matchesAny(predicates: readonly Compiled[], cluster: ManagedCluster): boolean | undefined {
  let result: boolean | undefined = false
  for (const predicate of predicates) {
    const one = matchesAll(predicate, cluster)
    if (one === true) return true
    if (one === undefined) result = undefined
  }
  return result
}

function failedRequirement(what: 'label' | 'claim', values: StringMap, requirement: LabelExpression): string {
  const { key, operator } = requirement
  const has = Object.hasOwn(values, key)
    ? `${what} ${key} is ${JSON.stringify(values[key])}`
    : `it has no ${what} ${key}`
  if (operator === 'Exists') return has
  if (operator === 'DoesNotExist') return `${has}, and none is wanted`
  return `${has}, and ${requirementText(requirement)} is wanted`
}

function failures(predicate: Compiled, cluster: ManagedCluster): string {
  const labels = cluster.meta.labels
  return [
    ...predicate.labels.filter(r => !matchesRequirement(labels, r)).map(r => failedRequirement('label', labels, r)),
    ...predicate.claims
      .filter(r => !matchesRequirement(cluster.claims, r))
      .map(r => failedRequirement('claim', cluster.claims, r)),
    ...predicate.cel
      .filter(part => celResult(part, cluster) === false)
      .map(part => `CEL expression ${JSON.stringify(part.expression)} is not true for it`),
  ].join('; ')
}

function firstProblem(predicates: readonly Compiled[]): Pick<PredicateFilter, 'error' | 'unknown'> {
  let error: string | undefined
  let unknown: string | undefined
  for (const { labels, claims, cel } of predicates) {
    error ??= requirementsError(labels) ?? requirementsError(claims)
    for (const { expression, program } of cel) {
      if (program.state === 'invalid') error ??= `compilation failed: ${program.message}`
      if (program.state === 'unknown') unknown ??= `CEL expression ${JSON.stringify(expression)}: ${program.reason}`
    }
  }
  return { error, unknown }
}

/** Compiles the predicates of a Placement; without predicates every cluster matches. */
export function compilePredicates(predicates: readonly ClusterPredicate[], cel: CelCompiler): PredicateFilter {
  const compiled = predicates.map(predicate => ({
    labels: predicate.labelSelector === undefined ? [] : requirementsOf(predicate.labelSelector),
    claims: predicate.claimExpressions,
    cel: predicate.celExpressions.map(expression => ({ expression, program: cel(expression) })),
  }))
  return {
    ...firstProblem(compiled),
    matches: cluster => (compiled.length === 0 ? true : matchesAny(compiled, cluster)),
    detail: cluster => {
      const [only, ...more] = compiled.map(predicate => failures(predicate, cluster))
      if (only === undefined) return ''
      if (more.length === 0) return only
      const list = [only, ...more].map((text, i) => `(${i + 1}) ${text}`).join('; ')
      return `none of the ${compiled.length} predicates matches: ${list}`
    },
  }
}
