import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type FaultContext, runUnderLoad } from '../runner/run-under-load.ts'
import {
  addFailure,
  BOTH_ENGINES,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SETTLE_MS = 600

const isSignedIn = ({ client, quiz }: FaultContext): Promise<boolean> =>
  client.quizzes.get({ id: quiz.id }).then(
    () => true,
    () => false,
  )

const shiftClockUnderLoad = async (options: ScenarioOptions): Promise<ScenarioResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-clock-'))
  const file = join(folder, 'ahead_ms')
  const setOffset = (offset_ms: number) => writeFileSync(file, String(offset_ms))
  setOffset(0)
  try {
    return await runUnderLoad({
      env: { CLOCK_FILE: file },
      launch_options: { node_options: ['--import', './faults/programs/shifted-clock.ts'] },
      injectFault: async (context) => {
        // A shift of five minutes must not end a session. A larger shift may require a new sign-in.
        for (const ahead of [5 * MINUTE_MS, -5 * MINUTE_MS, HOUR_MS, -HOUR_MS, 400 * DAY_MS]) {
          setOffset(ahead)
          await pause(SETTLE_MS)
          const isSmall = Math.abs(ahead) <= 5 * MINUTE_MS
          if (isSmall && !(await isSignedIn(context)))
            addFailure(
              context.result,
              `the editor was signed out by a clock that is ${ahead / MINUTE_MS} minutes wrong`,
            )
        }
        setOffset(0)
        await pause(SETTLE_MS)
        if (!(await isSignedIn(context)))
          addFailure(context.result, 'the editor stayed signed out after the clock was corrected')
        // 401 responses to the editor are expected while the clock is wrong.
        context.load.log.failures = context.load.log.failures.filter((text) => text !== 'save 401')
      },
    })(options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts the product with a wrong clock, and checks that sign-ups and all clients work. */
const startWithWrongClock =
  (ahead_ms: number) =>
  async (options: ScenarioOptions): Promise<ScenarioResult> => {
    const folder = mkdtempSync(join(tmpdir(), 'quizaine-clock-'))
    const file = join(folder, 'ahead_ms')
    writeFileSync(file, String(ahead_ms))
    try {
      return await runUnderLoad({
        env: { CLOCK_FILE: file },
        launch_options: { node_options: ['--import', './faults/programs/shifted-clock.ts'] },
        injectFault: async () => undefined,
      })(options)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

/** Scenarios F17: the clock of the product process is wrong. */
export const wrongClocks: Scenario[] = [
  {
    fault: 'F17',
    name: 'the clock jumps by ±5 minutes, ±1 hour and +400 days',
    engines: BOTH_ENGINES,
    rounds: { full: 3, short: 0 },
    run: shiftClockUnderLoad,
  },
  {
    fault: 'F17',
    name: 'the product starts with a clock that is 400 days ahead',
    engines: ['embedded'],
    rounds: { full: 1, short: 0 },
    run: startWithWrongClock(400 * DAY_MS),
  },
  {
    fault: 'F17',
    name: 'the product starts with a clock that is 26 years behind',
    engines: ['embedded'],
    rounds: { full: 1, short: 0 },
    run: startWithWrongClock(-26 * 365 * DAY_MS),
  },
]
