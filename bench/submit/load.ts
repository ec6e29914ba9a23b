import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'

/** Settings of a load test. */
export type Load = {
  origin: string
  makeRequest: () => Buffer
  connections: number
  /** Expected status; 201 by default. */
  status?: number
  /** Callback before a refused request (503) is sent again, as browsers do; undefined if refusals are errors. */
  onRefusal?: () => void
}

const openAll = ({ origin, connections }: Load): Promise<Connection[]> =>
  Promise.all(Array.from({ length: connections }, () => openConnection(origin)))

const RETRY_DELAY_MS = 50
const UNAVAILABLE_STATUS = 503
/** Status of a repeated submission that is already stored. */
const REPEATED_STATUS = 200

const sendOne = async (
  connection: Connection,
  { makeRequest, status: expected = 201, onRefusal }: Load,
): Promise<void> => {
  const request = makeRequest()
  let status = await connection.send(request)
  let wasRefused = false
  while (status === UNAVAILABLE_STATUS && onRefusal) {
    wasRefused = true
    onRefusal()
    await pause(RETRY_DELAY_MS)
    status = await connection.send(request)
  }
  if (status === expected || (wasRefused && status === REPEATED_STATUS)) return
  throw new Error(`A call was answered ${status}`)
}

/** Sends requests on all connections without pauses until `isOver` returns true. */
const sendUntil = async (load: Load, isOver: (sent: number) => boolean): Promise<number> => {
  const opened = await openAll(load)
  let sent = 0
  const started = performance.now()
  await Promise.all(
    opened.map(async (connection) => {
      while (!isOver(sent)) {
        sent++
        await sendOne(connection, load)
      }
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  for (const connection of opened) connection.close()
  return sent / seconds
}

/** Returns the calls per second that the server reaches without pauses between requests. */
export const measureMaxRate = (load: Load, seconds: number): Promise<number> => {
  const until = performance.now() + seconds * 1_000
  return sendUntil(load, () => performance.now() > until)
}

/** Sends `count` requests at the maximum rate and returns the rate per second. */
export const sendMany = (load: Load, count: number): Promise<number> =>
  sendUntil(load, (sent) => sent >= count)

/**
 * Returns latencies in ms at a fixed rate. A latency starts when the request is due, even if it is sent later, so that a
 * stalled server does not hide the waiting time.
 */
export const measureLatencies = async (
  load: Load,
  { per_second, seconds }: { per_second: number; seconds: number },
): Promise<number[]> => {
  const idle = await openAll(load)
  const all = [...idle]
  const latencies: number[] = []
  const due: number[] = []
  const underway = new Set<Promise<void>>()
  const sendNext = async (connection: Connection): Promise<void> => {
    for (let at = due.shift(); at !== undefined; at = due.shift()) {
      await sendOne(connection, load)
      latencies.push(performance.now() - at)
    }
    idle.push(connection)
  }
  const started = performance.now()
  const total = per_second * seconds
  for (let nb_due = 0; nb_due < total; ) {
    const elapsed = (performance.now() - started) / 1_000
    for (; nb_due < Math.min(total, elapsed * per_second); nb_due++)
      due.push(started + (nb_due / per_second) * 1_000)
    while (due.length > 0) {
      const connection = idle.pop()
      if (!connection) break
      const sending = sendNext(connection).finally(() => underway.delete(sending))
      underway.add(sending)
    }
    await pause(1)
  }
  await Promise.all(underway)
  for (const connection of all) connection.close()
  return latencies
}
