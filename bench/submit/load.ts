import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'

export type Load = {
  origin: string
  makeRequest: () => Buffer
  connections: number
  /** The only status that is an answer; 201 where it is left out. */
  status?: number
  /** Where it is there, who is told to come back (503) sends the same again, as browsers do. */
  onRefusal?: () => void
}

const openAll = ({ origin, connections }: Load): Promise<Connection[]> =>
  Promise.all(Array.from({ length: connections }, () => openConnection(origin)))

const AGAIN_MS = 50
const UNAVAILABLE = 503
/** What is sent again may have been stored. */
const KNOWN = 200

const sendOne = async (
  connection: Connection,
  { makeRequest, status: expected = 201, onRefusal }: Load,
): Promise<void> => {
  const request = makeRequest()
  let status = await connection.send(request)
  let wasRefused = false
  while (status === UNAVAILABLE && onRefusal) {
    wasRefused = true
    onRefusal()
    await pause(AGAIN_MS)
    status = await connection.send(request)
  }
  if (status === expected || (wasRefused && status === KNOWN)) return
  throw new Error(`A call was answered ${status}`)
}

/** As many as there can be: each connection sends the next when the last was answered, while asked to. */
const flood = async (load: Load, isOver: (sent: number) => boolean): Promise<number> => {
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

/** Calls a second under as much load as there can be. */
export const measureMost = (load: Load, seconds: number): Promise<number> => {
  const until = performance.now() + seconds * 1_000
  return flood(load, () => performance.now() > until)
}

/** Sends so many, as fast as they are answered; gives how many that is a second. */
export const sendMany = (load: Load, count: number): Promise<number> =>
  flood(load, (sent) => sent >= count)

/**
 * Latencies in ms at a rate that does not wait for answers: each is counted from the moment its
 * request was due, so that a stalled server is charged for everybody it kept waiting.
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
  for (let asked = 0; asked < total; ) {
    const elapsed = (performance.now() - started) / 1_000
    for (; asked < Math.min(total, elapsed * per_second); asked++)
      due.push(started + (asked / per_second) * 1_000)
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
