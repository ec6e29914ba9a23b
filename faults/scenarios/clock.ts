import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  addFailure,
  BOTH_ENGINES,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../scenario.ts'
import { type FaultContext, underLoad } from '../under-load.ts'

/** F17: wrong system clock at the start and under load. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const LOOK_MS = 600

const isSignedIn = ({ client, quiz }: FaultContext): Promise<boolean> =>
  client.quizzes.get({ id: quiz.id }).then(
    () => true,
    () => false,
  )

const wrongClock = async (options: ScenarioOptions): Promise<ScenarioResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-clock-'))
  const file = join(folder, 'ahead_ms')
  const set = (ms: number) => writeFileSync(file, String(ms))
  set(0)
  try {
    return await underLoad({
      env: { CLOCK_FILE: file },
      launch: { node_options: ['--import', './faults/programs/other-clock.ts'] },
      disturb: async (context) => {
        // A shift of minutes ends no session. An hour or a year may require a new sign-in, and
        // breaks nothing else.
        for (const ahead of [5 * MINUTE_MS, -5 * MINUTE_MS, HOUR_MS, -HOUR_MS, 400 * DAY_MS]) {
          set(ahead)
          await pause(LOOK_MS)
          const isSmall = Math.abs(ahead) <= 5 * MINUTE_MS
          if (isSmall && !(await isSignedIn(context)))
            addFailure(
              context.result,
              `signed out by a clock that is ${ahead / MINUTE_MS} minutes wrong`,
            )
        }
        set(0)
        await pause(LOOK_MS)
        if (!(await isSignedIn(context))) addFailure(context.result, 'signed out for good')
        // Refusals of the editor during the wrong clock are expected.
        context.load.record.wrong = context.load.record.wrong.filter((text) => text !== 'save 401')
      },
    })(options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Checks that a product started with a wrong clock serves, and that new sign-ins work. */
const wrongFromTheStart =
  (ahead_ms: number) =>
  async (options: ScenarioOptions): Promise<ScenarioResult> => {
    const folder = mkdtempSync(join(tmpdir(), 'quizaine-clock-'))
    const file = join(folder, 'ahead_ms')
    writeFileSync(file, String(ahead_ms))
    try {
      return await underLoad({
        env: { CLOCK_FILE: file },
        launch: { node_options: ['--import', './faults/programs/other-clock.ts'] },
        disturb: async () => undefined,
      })(options)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

/** Scenarios F17: the clock of the machine jumps. */
export const clock: Scenario[] = [
  {
    fault: 'F17',
    name: 'the clock jumps: ±5 min, ±1 h, +400 days',
    engines: BOTH_ENGINES,
    rounds: { whole: 3, short: 0 },
    run: wrongClock,
  },
  {
    fault: 'F17',
    name: 'started 400 days ahead',
    engines: ['embedded'],
    rounds: { whole: 1, short: 0 },
    run: wrongFromTheStart(400 * DAY_MS),
  },
  {
    fault: 'F17',
    name: 'started 26 years behind',
    engines: ['embedded'],
    rounds: { whole: 1, short: 0 },
    run: wrongFromTheStart(-26 * 365 * DAY_MS),
  },
]
