import { describe, test } from 'node:test'
import { pickByRun } from '#domain/testing/pick-by-run.ts'

const leaveOut = (): Promise<void> => Promise.resolve()

/** Registers a test, like `test`, except in `npm test`, which leaves the test out. */
export const testInAll = pickByRun({ daily: leaveOut as typeof test, all: test })

/** Registers a suite, like `describe`, except in `npm test`, which leaves the suite out. */
export const describeInAll = pickByRun({ daily: leaveOut as typeof describe, all: describe })
