import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { signUpCreator } from '../../bench/creator.ts'
import { openInstallation } from '../runner/installation.ts'
import { listProcessTree, signalAll } from '../runner/processes.ts'
import { type FaultContext, runUnderLoad } from '../runner/run-under-load.ts'
import {
  addFailure,
  BOTH_ENGINES,
  createResult,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'

/** Downtime of an external database, as its supervisor would cause. */
const EXTERNAL_DOWNTIME_MS = 1_000

const killProduct = async ({ installation }: FaultContext): Promise<void> => {
  installation.product().kill('SIGKILL')
  await installation.product().exited
}

/** Ends the database server with a signal. The product restarts an embedded server; this function restarts an external one. */
export const killDatabase = async (
  { installation }: Pick<FaultContext, 'installation'>,
  signal: NodeJS.Signals,
): Promise<void> => {
  if (!installation.cluster) return void process.kill(installation.databasePid(), signal)
  await installation.cluster.end(signal)
  await pause(EXTERNAL_DOWNTIME_MS)
  await installation.startDatabase()
}

/** Kills the process of a random database session of the product, as Linux does if memory is low. */
const killBackend = async ({ installation }: FaultContext): Promise<void> => {
  const client = new pg.Client(installation.connection)
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'quizaine' order by random() limit 1",
  )
  if (rows[0]) process.kill(rows[0].pid, 'SIGKILL')
  await client.end().catch(() => undefined)
}

/** Time between the kills of two rounds. */
const KILL_STEP_MS = 100

/** Kills the first start after a different time in each round, and checks that the next start succeeds. */
const killFirstStart = async ({ engine, rounds }: ScenarioOptions): Promise<ScenarioResult> => {
  const result = createResult()
  for (let round = 0; round < rounds; round++) {
    const installation = await openInstallation({ engine })
    try {
      const first = installation.startWithoutWaiting()
      await pause((round + 1) * KILL_STEP_MS)
      first.kill('SIGKILL')
      await first.exited
      const began = performance.now()
      await installation.start()
      result.recovery_times_ms.push(performance.now() - began)
      const client = await signUpCreator(installation.product().origin)
      await client.quizzes.create({ body: { name: 'Premier', type: 'quiz' } })
      result.rounds++
    } catch (error) {
      addFailure(result, `after a kill at ${(round + 1) * KILL_STEP_MS} ms: ${String(error)}`)
    } finally {
      await installation.cleanUp()
    }
  }
  return result
}

/** Duration of a pause. */
const PAUSE_MS = 8_000

/** Scenarios F1 to F5, G5 and F26: killed and paused processes. */
export const processFaults: Scenario[] = [
  {
    fault: 'F1',
    name: 'the product process is killed (SIGKILL) and restarted',
    engines: BOTH_ENGINES,
    rounds: { full: 50, short: 1 },
    run: runUnderLoad({
      breaks_connections: true,
      injectFault: async (context) => {
        await killProduct(context)
        context.installation.startWithoutWaiting()
      },
    }),
  },
  {
    fault: 'F2',
    name: 'the product is killed (SIGKILL) during its first start; the next start must succeed',
    engines: ['embedded', 'external'],
    rounds: { full: 25, short: 0 },
    run: killFirstStart,
  },
  {
    fault: 'F3',
    name: 'the process of one database session is killed (SIGKILL)',
    engines: BOTH_ENGINES,
    rounds: { full: 10, short: 0 },
    run: runUnderLoad({ injectFault: killBackend }),
  },
  {
    fault: 'F4',
    name: 'the database server is killed (SIGKILL)',
    engines: BOTH_ENGINES,
    rounds: { full: 50, short: 0 },
    run: runUnderLoad({ injectFault: (context) => killDatabase(context, 'SIGKILL') }),
  },
  {
    fault: 'G5',
    name: 'the product and the database server are killed together (SIGKILL)',
    engines: BOTH_ENGINES,
    rounds: { full: 50, short: 2 },
    run: runUnderLoad({
      breaks_connections: true,
      injectFault: async (context) => {
        const { installation } = context
        const killsProductFirst = context.round % 2 === 0
        if (killsProductFirst) installation.product().kill('SIGKILL')
        const killed = killDatabase(context, 'SIGKILL')
        await Promise.all([killProduct(context), killed])
        installation.startWithoutWaiting()
      },
    }),
  },
  {
    fault: 'F5',
    name: 'the database server is stopped immediately (SIGQUIT)',
    engines: BOTH_ENGINES,
    rounds: { full: 10, short: 0 },
    run: runUnderLoad({ injectFault: (context) => killDatabase(context, 'SIGQUIT') }),
  },
  {
    fault: 'F26',
    name: 'the database processes are paused for 8 s (SIGSTOP)',
    engines: BOTH_ENGINES,
    rounds: { full: 3, short: 0 },
    run: runUnderLoad({
      injectFault: async ({ installation }) => {
        const all = listProcessTree(installation.databasePid())
        signalAll(all, 'SIGSTOP')
        await pause(PAUSE_MS)
        signalAll(all, 'SIGCONT')
      },
    }),
  },
  {
    fault: 'F26',
    name: 'the embedded database hangs and never resumes',
    engines: ['embedded'],
    rounds: { full: 3, short: 0 },
    run: runUnderLoad({
      injectFault: async ({ installation }) =>
        signalAll(listProcessTree(installation.databasePid()), 'SIGSTOP'),
    }),
  },
  {
    fault: 'F26',
    name: 'the product process is paused for 8 s (SIGSTOP)',
    engines: BOTH_ENGINES,
    rounds: { full: 3, short: 0 },
    run: runUnderLoad({
      injectFault: async ({ installation }) => {
        installation.product().kill('SIGSTOP')
        await pause(PAUSE_MS)
        installation.product().kill('SIGCONT')
      },
    }),
  },
]
