import type { Engine } from './deps.ts'

/** The real engine. Every part is behind its own `import()`, so that `--help` and `completion` load none of them. */
export const engine: Engine = {
  openPath: async (path, options) => (await import('../source/open.ts')).openPath(path, options),
  openLive: async call => (await import('./live.ts')).openLiveSource(call),
  runDoctor: async (source, options) => (await import('../doctor.ts')).runDoctor(source, options),
  traceApp: async (source, ref, options) => (await import('../trace/run.ts')).traceApp(source, ref, options),
  traceAppSet: async (source, ref, options) => (await import('../trace/run.ts')).traceAppSet(source, ref, options),
  traceCluster: async (source, name, options) => (await import('../trace/run.ts')).traceCluster(source, name, options),
  checks: async () => (await import('../checks/all.ts')).ALL_CHECKS,
}
