import { setTimeout as pause } from 'node:timers/promises'
import { familyOf, signalAll } from './processes.ts'
import { BOTH, type Scenario } from './scenario.ts'
import { underLoad } from './under-load.ts'

/** F26: processes that run and do nothing. */

const STALL_MS = 8_000

export const hung: Scenario[] = [
  {
    fault: 'F26',
    name: 'the database stops for a while (SIGSTOP)',
    engines: BOTH,
    rounds: { whole: 3, short: 0 },
    run: underLoad({
      disturb: async ({ installation }) => {
        const all = familyOf(installation.databasePid())
        signalAll(all, 'SIGSTOP')
        await pause(STALL_MS)
        signalAll(all, 'SIGCONT')
      },
    }),
  },
  {
    fault: 'F26',
    name: 'the database hangs for ever',
    engines: ['embedded'],
    rounds: { whole: 3, short: 0 },
    run: underLoad({
      disturb: async ({ installation }) =>
        signalAll(familyOf(installation.databasePid()), 'SIGSTOP'),
    }),
  },
  {
    fault: 'F26',
    name: 'the event loop stalls (SIGSTOP of the process)',
    engines: BOTH,
    rounds: { whole: 3, short: 0 },
    run: underLoad({
      disturb: async ({ installation }) => {
        installation.product().kill('SIGSTOP')
        await pause(STALL_MS)
        installation.product().kill('SIGCONT')
      },
    }),
  },
]
