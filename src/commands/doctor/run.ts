import type { Severity } from '../../checks/check.ts'
import type { ExitCode } from '../../errors.ts'
import { DOCTOR_VIEW } from '../../output/views.ts'
import { settingsOf } from '../../settings/load.ts'
import { type Call, openSource, reading } from '../call.ts'
import { doctorExitCode } from '../exit-code.ts'
import { listOption, textOption } from '../flag-values.ts'
import { produceOrWatch } from '../watching/produce-or-watch.ts'
import { narrowing } from './narrow.ts'
import { chosenChecks, configured, suppressions } from './selection.ts'

/** `fleetctl doctor`: evaluates the checks over the source and shows the report. */
export async function doctor(call: Call): Promise<ExitCode> {
  const { options, engine } = call
  const threshold = {
    failOn: severity(textOption(options, 'failOn')),
    allowIncomplete: options.allowIncomplete === true,
  }
  const selection = await selected(call)
  const narrow = await narrowing(call)
  return produceOrWatch(call, {
    view: DOCTOR_VIEW,
    doing: reading(call),
    run: async signal => narrow(await engine.runDoctor(await openSource(call), { ...selection, signal })),
    exitCode: report => doctorExitCode(report, threshold),
    show: { ...threshold, showSymptoms: options.showSymptoms === true, since: options.since !== undefined },
  })
}

/** The flags that choose checks, each value checked against the registry; what is not given stays absent. */
async function selected(call: Call) {
  const { context, options, engine } = call
  const files = await settingsOf(context)
  const lasting = files.flatMap(file => file.suppressions)
  const ignore = listOption(options, 'ignore')
  const known = ignore.length + lasting.length > 0 ? await engine.checks() : []
  return {
    ...(await chosenChecks(call)),
    ...(ignore.length > 0 ? { ignore: suppressions(ignore, known) } : {}),
    ...(lasting.length > 0 ? { suppressions: configured(lasting, known) } : {}),
  }
}

function severity(value: string | undefined): Severity {
  return value === 'warning' || value === 'info' ? value : 'error'
}
