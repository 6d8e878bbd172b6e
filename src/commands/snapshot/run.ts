import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { SNAPSHOT_VIEW } from '../../output/snapshot-views.ts'
import { formatsOf } from '../../output/view.ts'
import { record } from '../../snapshot/record.ts'
import { type SnapshotReport, snapshotReport } from '../../snapshot/report.ts'
import { checkTarget, type SnapshotTarget, targetOf } from '../../snapshot/target.ts'
import { type Call, openSource, reading } from '../call.ts'
import { produce } from '../produce.ts'

/** `fleetctl snapshot`: records a fleet as a folder or an archive. */
export async function snapshot(call: Call): Promise<ExitCode> {
  const { options, flags } = call
  const { formats, target } = outputs(call)
  const isForced = options.force === true
  const allowIncomplete = options.allowIncomplete === true
  checkTarget(target, isForced)
  const startedAt = new Date().toISOString()
  return produce(
    { ...call, flags: { ...flags, output: formats } },
    {
      view: SNAPSHOT_VIEW,
      doing: reading(call),
      run: async (signal): Promise<SnapshotReport> => {
        const source = await openSource(call)
        const recorded = await record(source, target, { signal })
        const { type, name } = source
        return snapshotReport(recorded, { startedAt, source: { type, name }, target, mapping: '', kept: [] })
      },
      exitCode: ({ gaps }) => (gaps.length > 0 && !allowIncomplete ? EXIT.incomplete : EXIT.ok),
      show: { allowIncomplete },
    },
  )
}

/**
 * Of the values of `-o` one is the path of the snapshot, the others are formats as everywhere.
 *
 * @throws UsageError without a path, or with two
 */
function outputs({ flags, context }: Call): { readonly formats: readonly string[]; readonly target: SnapshotTarget } {
  const known = formatsOf(SNAPSHOT_VIEW)
  const isFormat = (value: string): boolean => known.includes(value.replace(/=.*/s, ''))
  const [path, second] = flags.output.filter(value => !isFormat(value))
  if (path === undefined) {
    throw new UsageError('where to? name a folder or an archive, such as -o fleet.tgz; -o json alone is only a format')
  }
  if (second !== undefined) throw new UsageError(`-o names two paths, "${path}" and "${second}"`)
  if (path === '' || path === '-') throw new UsageError('a snapshot cannot go to stdout; name a folder or an archive')
  return { formats: flags.output.filter(isFormat), target: targetOf(path, context.cwd) }
}
