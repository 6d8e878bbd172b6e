import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DoctorReport } from '../../checks/report.ts'
import { againstBaseline, baselineOf } from '../../findings/baseline.ts'
import { changedWithin } from '../../findings/since.ts'
import { writeFileAtomically } from '../../output/write.ts'
import { type Call, note } from '../call.ts'
import { textOption } from '../flag-values.ts'
import { readText } from '../read-text.ts'

/** What `--write-baseline` writes where neither it nor `--baseline` names a file. */
const DEFAULT_FILE = 'fleetctl-baseline.yaml'

/** Makes of a report the one that the flags ask for. */
type Narrow = (report: DoctorReport) => Promise<DoctorReport>

/**
 * What `--baseline`, `--write-baseline` and `--since` make of a report. Files are understood before the fleet is read.
 *
 * @throws UsageError for a baseline that cannot be read
 */
export async function narrowing(call: Call): Promise<Narrow> {
  const { options } = call
  const file = textOption(options, 'baseline')
  const into = fileToWrite(call, file)
  const known = file === undefined ? undefined : await baseline(call, file, '--baseline')
  const before = await baselineBefore(call, into, file, known)
  const since = typeof options.since === 'number' ? options.since : undefined
  return async report => {
    let narrowed = report
    if (into === undefined) narrowed = known === undefined ? report : againstBaseline(report, known)
    else {
      const accepted = baselineOf(report, before)
      const { writeBaseline } = await import('../../findings/baseline-file.ts')
      await writeFileAtomically(into, writeBaseline(accepted), call.context.cwd)
      const n = accepted.size
      note(call, `wrote a baseline of ${n} finding${n === 1 ? '' : 's'} to ${into}`)
      narrowed = { ...againstBaseline(report, accepted), gone: againstBaseline(report, before).gone }
    }
    return since === undefined ? narrowed : changedWithin(narrowed, since)
  }
}

function fileToWrite({ options }: Call, file: string | undefined): string | undefined {
  const { writeBaseline } = options
  if (writeBaseline === true) return file ?? DEFAULT_FILE
  return typeof writeBaseline === 'string' ? writeBaseline : undefined
}

/** What the file to be written holds so far: nothing of it may be lost that the run cannot judge. */
async function baselineBefore(
  call: Call,
  into: string | undefined,
  file: string | undefined,
  known: ReadonlySet<string> | undefined,
): Promise<ReadonlySet<string>> {
  if (into === undefined) return new Set()
  if (into === file && known !== undefined) return known
  return existsSync(resolve(call.context.cwd, into)) ? baseline(call, into, '--write-baseline') : new Set()
}

async function baseline(call: Call, file: string, flag: string): Promise<ReadonlySet<string>> {
  const text = await readText(call, file, flag)
  const { readBaseline } = await import('../../findings/baseline-file.ts')
  return readBaseline(text, file)
}
