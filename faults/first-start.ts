import { setTimeout as pause } from 'node:timers/promises'
import { signUpCreator } from '../bench/creator.ts'
import { openInstallation } from './installation.ts'
import { blame, nothingSeen, type Options, type Scenario, type Seen } from './scenario.ts'

/** F2: the very first start is killed, at every moment of it; the next one must work. */

const STEP_MS = 100

const killFirstStart = async ({ engine, rounds }: Options): Promise<Seen> => {
  const seen = nothingSeen()
  for (let round = 0; round < rounds; round++) {
    const installation = await openInstallation({ engine })
    try {
      const first = installation.launch()
      await pause((round + 1) * STEP_MS)
      first.kill('SIGKILL')
      await first.exited
      const began = performance.now()
      await installation.start()
      seen.recoveries.push(performance.now() - began)
      const client = await signUpCreator(installation.product().origin)
      await client.quizzes.create({ body: { name: 'Premier', type: 'quiz' } })
      seen.rounds++
    } catch (error) {
      blame(seen, `killed after ${(round + 1) * STEP_MS} ms: ${String(error)}`)
    } finally {
      await installation.cleanUp()
    }
  }
  return seen
}

export const firstStart: Scenario[] = [
  {
    fault: 'F2',
    name: 'kill -9 during the first start, every 0.1 s',
    engines: ['embedded', 'external'],
    rounds: { whole: 25, short: 0 },
    run: killFirstStart,
  },
]
