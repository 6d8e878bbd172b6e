import { randomBytes } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { SNAPSHOT_VIEW } from '../../output/snapshot-views.ts'
import { formatsOf } from '../../output/view.ts'
import { record } from '../../snapshot/record.ts'
import { mappingText, readMapping } from '../../snapshot/redact/mapping-file.ts'
import { FleetRedaction } from '../../snapshot/redact/redaction.ts'
import { type SnapshotReport, snapshotReport } from '../../snapshot/report.ts'
import { checkTarget, type SnapshotTarget, targetOf } from '../../snapshot/target.ts'
import { type Call, openSource, reading } from '../call.ts'
import { textOption } from '../flag-values.ts'
import { produce } from '../produce.ts'

/** `fleetctl snapshot`: records a fleet as a folder or an archive. */
export async function snapshot(call: Call): Promise<ExitCode> {
  const { options, flags } = call
  const { formats, target } = outputs(call)
  const isForced = options.force === true
  const allowIncomplete = options.allowIncomplete === true
  const mapping = mappingOf(call, target)
  checkTarget(target, isForced)
  if (mapping !== undefined) readMapping(mapping.path)
  const startedAt = new Date().toISOString()
  return produce(
    { ...call, flags: { ...flags, output: formats } },
    {
      view: SNAPSHOT_VIEW,
      doing: reading(call),
      run: async (signal): Promise<SnapshotReport> => {
        const source = await openSource(call)
        const redaction = mapping === undefined ? undefined : new FleetRedaction(readMapping(mapping.path))
        const recorded = await record(source, target, { redaction, signal, force: isForced })
        if (mapping !== undefined && redaction !== undefined) writePrivately(mapping, mappingText(redaction.mapping))
        const { type, name } = source
        return snapshotReport(recorded, {
          startedAt,
          source: { type, name },
          target,
          mapping: mapping?.name ?? '',
          kept: redaction?.kept ?? [],
        })
      },
      exitCode: ({ gaps }) => (gaps.length > 0 && !allowIncomplete ? EXIT.incomplete : EXIT.ok),
      show: { allowIncomplete },
    },
  )
}

interface MappingFile {
  /** As the user gave it. */
  readonly name: string
  readonly path: string
}

/** Beside the snapshot, never inside: it must not be passed on with it. */
function mappingOf({ options, context }: Call, target: SnapshotTarget): MappingFile | undefined {
  const given = textOption(options, 'mapping')
  if (options.redact !== true) {
    if (given !== undefined) throw new UsageError('--mapping is for --redact')
    return undefined
  }
  const name = given ?? `${target.name.replace(/\/+$/, '')}.mapping.json`
  const path = resolve(context.cwd, name)
  if (target.format === 'folder' && `${path}/`.startsWith(`${target.path}/`)) {
    throw new UsageError(`the mapping "${name}" would lie inside the snapshot and be passed on with it`)
  }
  return { name, path }
}

/** @throws UsageError when it cannot be written: then nobody can tell what is what in the snapshot */
function writePrivately({ name, path }: MappingFile, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 })
    renameSync(temporary, path)
  } catch (cause) {
    rmSync(temporary, { force: true })
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'it failed'
    throw new UsageError(`cannot write the mapping "${name}" (${code}); the snapshot itself is there`, { cause })
  }
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
