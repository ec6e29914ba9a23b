import { setTimeout as pause } from 'node:timers/promises'
import { familyOf, residentMb, signalAll } from '../processes.ts'
import { addFailure, BOTH_ENGINES, type Scenario } from '../scenario.ts'
import { type FaultContext, underLoad } from '../under-load.ts'

/** F26: stalled processes. */

const STALL_MS = 8_000

/** Scenarios F26: a database that stops for a while. */
export const hung: Scenario[] = [
  {
    fault: 'F26',
    name: 'the database stops for a while (SIGSTOP)',
    engines: BOTH_ENGINES,
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
    engines: BOTH_ENGINES,
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

/** F6 to F10: faults between the product and an external database. */

const AWAY_MS = 20_000
const SHORT_AWAY_MS = 3_000
const RESETS = 20
/** Maximum ms until a refusal if the database is unreachable; a silent one takes the statement timeout. */
const REFUSED_MS = 2_000
const SILENT_MS = 15_000
const MAX_CONNECTIONS = 40
const MAX_GROWN_MB = 150

const away = (round: number) => (round === 0 ? AWAY_MS : SHORT_AWAY_MS)

const noOneWaitsLonger = ({ load, result }: FaultContext, limit_ms: number): void => {
  const { longest_ms } = load.record
  result.notes.push(`longest answer ${(longest_ms / 1_000).toFixed(1)} s`)
  if (longest_ms > limit_ms) addFailure(result, `somebody waited ${Math.round(longest_ms)} ms`)
}

const proxyOf = ({ installation: { proxy } }: FaultContext) => {
  if (!proxy) throw new Error('This fault needs a proxy')
  return proxy
}

const external = ['external'] as const

/** Scenarios F6 to F10: the network between the product and its database. */
export const network: Scenario[] = [
  {
    fault: 'F6',
    name: 'the database is unreachable',
    engines: external,
    rounds: { whole: 5, short: 0 },
    run: underLoad({
      has_proxy: true,
      disturb: async (context) => {
        proxyOf(context).set('refuse')
        await pause(away(context.round))
        noOneWaitsLonger(context, REFUSED_MS)
        proxyOf(context).set('pass')
      },
    }),
  },
  {
    fault: 'F7',
    name: 'the database falls silent',
    engines: external,
    rounds: { whole: 3, short: 0 },
    run: underLoad({
      has_proxy: true,
      disturb: async (context) => {
        proxyOf(context).set('silent')
        await pause(AWAY_MS)
        noOneWaitsLonger(context, SILENT_MS)
        proxyOf(context).set('pass')
      },
    }),
  },
  {
    fault: 'F7',
    name: 'connections fall silent for ever, new ones work',
    engines: external,
    rounds: { whole: 3, short: 0 },
    run: underLoad({
      has_proxy: true,
      disturb: async (context) => proxyOf(context).silenceConnections(),
      conclude: async (context) => noOneWaitsLonger(context, SILENT_MS),
    }),
  },
  {
    fault: 'F8',
    name: 'the database is slow',
    engines: external,
    rounds: { whole: 1, short: 0 },
    run: underLoad({
      has_proxy: true,
      disturb: async (context) => {
        const { installation, result } = context
        const before = residentMb(installation.product().pid)
        proxyOf(context).set('slow')
        await pause(60_000)
        const grown = residentMb(installation.product().pid) - before
        const connections = proxyOf(context).open()
        result.notes.push(`memory +${Math.round(grown)} MB`, `${connections} connections`)
        if (grown > MAX_GROWN_MB) addFailure(result, `memory grew by ${Math.round(grown)} MB`)
        if (connections > MAX_CONNECTIONS)
          addFailure(result, `${connections} connections to the database`)
        proxyOf(context).set('pass')
      },
    }),
  },
  {
    fault: 'F9',
    name: 'connections are cut after the commit',
    engines: external,
    rounds: { whole: 20, short: 1 },
    run: underLoad({
      has_proxy: true,
      disturb: async (context) => {
        proxyOf(context).set('cut')
        await pause(500)
        proxyOf(context).set('pass')
      },
    }),
  },
  {
    fault: 'F10',
    name: 'connections are reset every second',
    engines: external,
    rounds: { whole: 1, short: 0 },
    run: underLoad({
      has_proxy: true,
      disturb: async (context) => {
        for (let count = 0; count < RESETS; count++) {
          proxyOf(context).reset()
          await pause(1_000)
        }
      },
    }),
  },
]
