import type { CelCompiler } from './cel.ts'

let loaded: Promise<CelCompiler> | undefined

/** Loads the CEL evaluator; to be called only where a Placement has CEL expressions. Loaded once. */
export function loadCel(): Promise<CelCompiler> {
  loaded ??= import('./cel/engine.ts').then(engine => engine.createCel())
  return loaded
}
