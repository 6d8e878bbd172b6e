import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SourceError, UsageError } from '../errors.ts'
import { KIND_NAMES, type KindName, resourceName } from '../fleet/kinds.ts'
import { getOrAdd } from '../fleet/maps.ts'
import { toYaml } from '../output/yaml.ts'
import type { ClusterReport, Coverage, FleetSource, SourceReport } from '../source/source.ts'
import { indexOf, type WrittenKind } from './index-file.ts'
import { writeList } from './list-file.ts'
import { packFolder } from './pack.ts'
import { NO_REDACTOR, type Redaction, type Redactor } from './redactor.ts'
import { Spool } from './spool.ts'
import { checkTarget, moveInto, type SnapshotTarget, stageFor } from './target.ts'

/** A cluster as it was recorded. */
interface RecordedCluster {
  readonly report: ClusterReport
  /** Objects by kind, those of which there are some. */
  readonly counts: ReadonlyMap<KindName, number>
}

export interface Recorded {
  readonly report: SourceReport
  /** The hub first. */
  readonly clusters: readonly RecordedCluster[]
}

interface RecordOptions {
  readonly redaction?: Redaction | undefined
  /** Replace an earlier snapshot. */
  readonly force?: boolean
  readonly signal?: AbortSignal
}

/** What a folder of a cluster may be called: names of Kubernetes objects are of that form. */
const FOLDER = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i

/**
 * Reads everything that fleetctl knows of a fleet and writes it as a recorded fleet. Objects go to disk as they come, so memory
 * holds no more than a page of each list; the result appears as a whole or not at all.
 *
 * @throws what the source throws; UsageError when the target cannot be written
 */
export async function record(source: FleetSource, target: SnapshotTarget, options: RecordOptions): Promise<Recorded> {
  const stage = attempt(target, () => stageFor(target))
  const discard = (): void => rmSync(stage, { recursive: true, force: true })
  // Ctrl-C and --timeout may end the process before this has ended, and what lies there is not redacted yet.
  process.on('exit', discard)
  const spools = new Map<string, Map<KindName, Spool>>()
  try {
    const report = await gather(source, target, stage, spools, options)
    options.signal?.throwIfAborted()
    return await attemptAsync(target, async () => {
      const redactor = redactorOf(report, options.redaction)
      const folder = join(stage, 'fleet')
      mkdirSync(folder, { mode: 0o700 })
      const clusters = report.clusters.map(cluster => {
        const own = spools.get(cluster.name) ?? new Map<KindName, Spool>()
        return writeCluster(folder, cluster, own, redactor, report.spokesNamed === true, options)
      })
      options.signal?.throwIfAborted()
      // Something may have come to be there while the clusters were read.
      checkTarget(target, options.force === true)
      await finish(folder, target, stage, timeOf(report))
      return { report, clusters }
    })
  } finally {
    for (const own of spools.values()) for (const spool of own.values()) spool.close()
    discard()
    process.off('exit', discard)
  }
}

async function gather(
  source: FleetSource,
  target: SnapshotTarget,
  stage: string,
  spools: Map<string, Map<KindName, Spool>>,
  { redaction, signal }: RecordOptions,
): Promise<SourceReport> {
  let files = 0
  const take = (cluster: string, kind: KindName, raw: unknown): void => {
    const own = getOrAdd(spools, cluster, () => new Map<KindName, Spool>())
    const object = attempt(target, () =>
      getOrAdd(own, kind, () => new Spool(join(stage, `${++files}.spool`), kind)).take(raw),
    )
    if (object !== undefined) redaction?.learn(kind, object)
  }
  const report = await source.read(new Set(KIND_NAMES), { object: take, replace: take }, signal)
  const seen = new Set<string>()
  for (const { name } of report.clusters) {
    if (!FOLDER.test(name)) throw new SourceError(`cluster "${name}" cannot be recorded: its name is no folder name`)
    if (seen.has(name)) throw new SourceError(`cluster "${name}" cannot be recorded: another one has the same name`)
    seen.add(name)
  }
  return report
}

function redactorOf({ clusters }: SourceReport, redaction: Redaction | undefined): Redactor {
  if (redaction === undefined) return NO_REDACTOR
  for (const { name, role, coverage, otherwise } of clusters) {
    if (role === 'spoke') redaction.learnCluster(name)
    for (const known of [...coverage.values(), otherwise])
      if ('reason' in known) redaction.learnText(known.reason ?? '')
  }
  return redaction.redactor()
}

function writeCluster(
  folder: string,
  report: ClusterReport,
  spools: ReadonlyMap<KindName, Spool>,
  redactor: Redactor,
  spokesNamed: boolean,
  { redaction }: RecordOptions,
): RecordedCluster {
  const shown = redacted(report, redactor)
  const own = join(folder, shown.name)
  mkdirSync(own, { mode: 0o700 })
  const written = new Map<KindName, WrittenKind>()
  const counts = new Map<KindName, number>()
  for (const [kind, spool] of spools) {
    if (spool.count === 0) continue
    counts.set(kind, spool.count)
    const { apiVersion } = spool
    written.set(kind, { apiVersion, parts: writeList(own, resourceName(kind), linesOf(kind, spool, redactor)) })
  }
  const index = indexOf(shown, written, { spokesNamed, isRedacted: redaction !== undefined })
  writeFileSync(join(own, 'index.yaml'), toYaml(index), { flag: 'wx', mode: 0o600 })
  return { report, counts }
}

function* linesOf(kind: KindName, spool: Spool, redactor: Redactor): Generator<Buffer> {
  if (redactor === NO_REDACTOR) yield* spool.lines()
  else for (const object of spool.objects()) yield Buffer.from(JSON.stringify(redactor.object(kind, object)))
}

function redacted(report: ClusterReport, redactor: Redactor): ClusterReport {
  if (redactor === NO_REDACTOR) return report
  const shown = (coverage: Coverage): Coverage => {
    const reason =
      'reason' in coverage && coverage.reason !== undefined ? { reason: redactor.text(coverage.reason) } : {}
    const within =
      coverage.state === 'read' && coverage.within !== undefined
        ? { within: new Set([...coverage.within].map(name => redactor.text(name))) }
        : {}
    return { ...coverage, ...reason, ...within }
  }
  return {
    ...report,
    name: report.role === 'hub' ? report.name : redactor.text(report.name),
    coverage: new Map([...report.coverage].map(([kind, coverage]) => [kind, shown(coverage)])),
    otherwise: shown(report.otherwise),
  }
}

function timeOf({ clusters }: SourceReport): Date {
  return new Date(clusters.find(c => c.role === 'hub')?.readAt ?? 0)
}

async function finish(folder: string, target: SnapshotTarget, stage: string, time: Date): Promise<void> {
  if (target.format === 'folder') {
    moveInto(folder, target, stage)
    return
  }
  const archive = join(stage, 'fleet.tgz')
  await packFolder(folder, archive, basename(target.path).replace(/\.(tgz|tar\.gz)$/i, '') || 'fleet', time)
  moveInto(archive, target, stage)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the device',
  EACCES: 'no right to write there',
  EPERM: 'no right to write there',
  EROFS: 'the file system is read-only',
  EDQUOT: 'the disk quota is exceeded',
}

/** Failures of the file system, told as what they are; everything else as it is. */
function told(target: SnapshotTarget, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('syscall' in cause)) return cause
  const code = 'code' in cause ? String(cause.code) : ''
  return new UsageError(`cannot write "${target.name}": ${REASONS[code] ?? cause.message}`, { cause })
}

function attempt<T>(target: SnapshotTarget, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw told(target, error)
  }
}

async function attemptAsync<T>(target: SnapshotTarget, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw told(target, error)
  }
}
