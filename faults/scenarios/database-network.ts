import { setTimeout as pause } from 'node:timers/promises'
import { residentMemoryMb } from '../runner/processes.ts'
import { type FaultContext, runUnderLoad } from '../runner/run-under-load.ts'
import { addFailure, formatSeconds, type Scenario } from '../runner/scenario.ts'

const LONG_OUTAGE_MS = 20_000
const SHORT_OUTAGE_MS = 3_000
const NB_RESETS = 20
/** Maximum milliseconds until a response if the database refuses connections. */
const MAX_REFUSAL_MS = 2_000
/** Maximum milliseconds until a response if the database does not answer; includes the statement timeout. */
const MAX_SILENCE_WAIT_MS = 15_000
const MAX_CONNECTIONS = 40
const MAX_GROWN_MB = 150

const outageMs = (round: number) => (round === 0 ? LONG_OUTAGE_MS : SHORT_OUTAGE_MS)

const checkLongestWait = ({ load, result }: FaultContext, limit_ms: number): void => {
  const { longest_ms } = load.log
  result.notes.push(`longest response ${formatSeconds(longest_ms)}`)
  if (longest_ms > limit_ms) addFailure(result, `a response took ${Math.round(longest_ms)} ms`)
}

const proxyOf = ({ installation: { proxy } }: FaultContext) => {
  if (!proxy) throw new Error('This fault needs a proxy')
  return proxy
}

const external = ['external'] as const

/** Scenarios F6 to F10: a TCP proxy disturbs the network between the product and an external database. */
export const databaseNetworkFaults: Scenario[] = [
  {
    fault: 'F6',
    name: 'the database refuses connections; calls must end within 2 s',
    engines: external,
    rounds: { full: 5, short: 0 },
    run: runUnderLoad({
      has_database_proxy: true,
      injectFault: async (context) => {
        proxyOf(context).set('refuse')
        await pause(outageMs(context.round))
        checkLongestWait(context, MAX_REFUSAL_MS)
        proxyOf(context).set('pass')
      },
    }),
  },
  {
    fault: 'F7',
    name: 'the database does not answer; calls must end within 15 s',
    engines: external,
    rounds: { full: 3, short: 0 },
    run: runUnderLoad({
      has_database_proxy: true,
      injectFault: async (context) => {
        proxyOf(context).set('silent')
        await pause(LONG_OUTAGE_MS)
        checkLongestWait(context, MAX_SILENCE_WAIT_MS)
        proxyOf(context).set('pass')
      },
    }),
  },
  {
    fault: 'F7',
    name: 'open database connections never answer again, but new connections work',
    engines: external,
    rounds: { full: 3, short: 0 },
    run: runUnderLoad({
      has_database_proxy: true,
      injectFault: async (context) => proxyOf(context).silenceConnections(),
      checkAtEnd: async (context) => checkLongestWait(context, MAX_SILENCE_WAIT_MS),
    }),
  },
  {
    fault: 'F8',
    name: 'the network to the database is slow; memory and connections must stay bounded',
    engines: external,
    rounds: { full: 1, short: 0 },
    run: runUnderLoad({
      has_database_proxy: true,
      injectFault: async (context) => {
        const { installation, result } = context
        const before = residentMemoryMb(installation.product().pid)
        proxyOf(context).set('slow')
        await pause(60_000)
        const grown = residentMemoryMb(installation.product().pid) - before
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
    name: 'database connections are cut between a commit and its response',
    engines: external,
    rounds: { full: 20, short: 1 },
    run: runUnderLoad({
      has_database_proxy: true,
      injectFault: async (context) => {
        proxyOf(context).set('cut')
        await pause(500)
        proxyOf(context).set('pass')
      },
    }),
  },
  {
    fault: 'F10',
    name: 'all database connections are reset every second',
    engines: external,
    rounds: { full: 1, short: 0 },
    run: runUnderLoad({
      has_database_proxy: true,
      injectFault: async (context) => {
        for (let count = 0; count < NB_RESETS; count++) {
          proxyOf(context).reset()
          await pause(1_000)
        }
      },
    }),
  },
]
