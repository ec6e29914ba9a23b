import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { BOTH_ENGINES, type Scenario } from '../scenario.ts'
import { type FaultContext, underLoad } from '../under-load.ts'

const EXTERNAL_AWAY_MS = 1_000

/** F1, F3, F4, F5: killed processes. */

const killProduct = async ({ installation }: FaultContext): Promise<void> => {
  installation.product().kill('SIGKILL')
  await installation.product().exited
}

/** Kills the database server. The product restarts an embedded one; an external one is restarted here. */
export const killDatabase = async (
  { installation }: Pick<FaultContext, 'installation'>,
  signal: NodeJS.Signals,
): Promise<void> => {
  if (!installation.cluster) return void process.kill(installation.databasePid(), signal)
  await installation.cluster.end(signal)
  await pause(EXTERNAL_AWAY_MS)
  await installation.startDatabase()
}

/** Kills one database session of the product, as the kernel does if memory is low. */
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

const many = { whole: 50, short: 2 }

/** Scenarios F1 and F3 to F5: killed processes. */
export const kills: Scenario[] = [
  {
    fault: 'F1',
    name: 'kill -9 of the process',
    engines: BOTH_ENGINES,
    rounds: { whole: 50, short: 1 },
    run: underLoad({
      is_killed: true,
      disturb: async (context) => {
        await killProduct(context)
        context.installation.launch()
      },
    }),
  },
  {
    fault: 'F3',
    name: 'kill -9 of one session of the database',
    engines: BOTH_ENGINES,
    rounds: { whole: 10, short: 0 },
    run: underLoad({ disturb: killBackend }),
  },
  {
    fault: 'F4',
    name: 'kill -9 of the database',
    engines: BOTH_ENGINES,
    rounds: { whole: 50, short: 0 },
    run: underLoad({ disturb: (context) => killDatabase(context, 'SIGKILL') }),
  },
  {
    fault: 'G5',
    name: 'kill -9 of both',
    engines: BOTH_ENGINES,
    rounds: many,
    run: underLoad({
      is_killed: true,
      disturb: async (context) => {
        const { installation } = context
        const isFirst = context.round % 2 === 0
        if (isFirst) installation.product().kill('SIGKILL')
        const killed = killDatabase(context, 'SIGKILL')
        await Promise.all([killProduct(context), killed])
        installation.launch()
      },
    }),
  },
  {
    fault: 'F5',
    name: 'immediate stop of the database',
    engines: BOTH_ENGINES,
    rounds: { whole: 10, short: 0 },
    run: underLoad({ disturb: (context) => killDatabase(context, 'SIGQUIT') }),
  },
]
