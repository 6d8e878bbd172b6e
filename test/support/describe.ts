import { describe } from 'vitest'
import { whyNoApiServer } from '../apiserver/binaries.mjs'

const why = whyNoApiServer()
const isSkipped = why !== undefined && process.env.CI !== 'true'
if (isSkipped) console.warn(`skipped: ${why}`)

/** False where the tests with an API server are skipped, so that hooks need not start one. */
export const hasApiServer = !isSkipped

/**
 * Tests that need a real API server. Without one they are skipped with a line that says why; under CI=true they fail, so
 * that nobody takes a run without them for a full one.
 */
export const describeWithApiServer = describe.skipIf(isSkipped)
