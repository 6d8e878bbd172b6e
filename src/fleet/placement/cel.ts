import type { ManagedCluster } from '../records.ts'

/**
 * What is known of one CEL expression of a Placement. The evaluator comes from outside (see load-cel.ts), because it is
 * needed for few Placements and costs time to load; without one, every expression is `unknown`.
 */
export type CelProgram =
  | {
      readonly state: 'compiled'
      /** Whether the expression yields true; an error while it runs, or another type, is false. Undefined: cannot be told. */
      readonly matches: (cluster: ManagedCluster) => boolean | undefined
    }
  /** The controller calls the Placement misconfigured. The message is ours, the controller words it differently. */
  | { readonly state: 'invalid'; readonly message: string }
  /** It cannot be told whether the controller can compile it, or what it yields. */
  | { readonly state: 'unknown'; readonly reason: string }

export type CelCompiler = (expression: string) => CelProgram

/** Stands in for an evaluator that was not loaded. */
export const noCel: CelCompiler = () => ({ state: 'unknown', reason: 'CEL expressions are not evaluated here' })
