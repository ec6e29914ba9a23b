import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { customerKey } from './throttle.ts'

/** Most connections, in all and from one network: an IPv4 address or the /48 of an IPv6 one. */
export type MostConnections = { connections: number; connections_per_address: number }

/**
 * Closes new connections beyond the limits, so that one network cannot take every connection. Behind a
 * proxy every connection comes from the proxy, so only the total is limited.
 */
export const limitConnections = (
  server: Server,
  { connections, connections_per_address }: MostConnections,
  is_behind_proxy: boolean,
): void => {
  server.maxConnections = connections
  if (is_behind_proxy) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = customerKey(socket.remoteAddress ?? '')
    const count = open.get(address) ?? 0
    if (count >= connections_per_address) {
      socket.destroy()
      return
    }
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}

/** Least speed in bytes a second at which a client has to take an answer. */
const MIN_READ_BYTES_S = 32_768
const MAX_CHECK_MS = 5_000

/** State of an answer that its client has not taken yet. */
type PendingAnswer = {
  /** Bytes whose write has ended. */
  nb_written: number
  /** Bytes of the write under way that the system has not taken. */
  queue_bytes: number
  moved_at: number
  ends_at: number
}

/** Bytes that the system has not taken of the write under way; node:net decides by them whether a socket is idle. */
const queueBytes = (socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number =>
  socket._handle?.writeQueueSize ?? socket.writableLength

/**
 * Closes connections whose client does not take its answer: after `max_stall_ms` without any progress, or when a write
 * is slower than 32 KiB a second. Reading so slowly would hold the answer in memory for ever.
 */
export const cutOffStalledReaders = (server: Server, max_stall_ms: number): void => {
  const open = new Map<Socket, PendingAnswer | undefined>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  const check = (socket: Socket, known: PendingAnswer | undefined, now: number): void => {
    const { writableLength } = socket
    if (writableLength === 0) {
      if (known) open.set(socket, undefined)
      return
    }
    const nb_written = socket.bytesWritten - writableLength
    const queue_bytes = queueBytes(socket)
    if (!known || nb_written > known.nb_written) {
      const ends_at = now + max_stall_ms + (writableLength / MIN_READ_BYTES_S) * 1_000
      open.set(socket, { nb_written, queue_bytes, moved_at: now, ends_at })
      return
    }
    if (queue_bytes < known.queue_bytes) known.moved_at = now
    known.queue_bytes = queue_bytes
    if (now - known.moved_at > max_stall_ms || now > known.ends_at) socket.destroy()
  }
  const timer = setInterval(
    () => {
      const now = performance.now()
      for (const [socket, known] of open) check(socket, known, now)
    },
    Math.min(MAX_CHECK_MS, max_stall_ms / 2),
  ).unref()
  server.once('close', () => clearInterval(timer))
}

/** Most answers of one connection that wait for an earlier one; browsers and proxies send one request at a time. */
const MAX_PIPELINED = 4

/**
 * Closes a connection at once. node:http makes an error for each request that waits on it; without stack traces a
 * thousand of them cost a twentieth.
 */
const closeCheaply = (socket: Socket): void => {
  if (socket.destroyed) return
  let { stackTraceLimit } = Error
  // node:http creates its errors between the first and the last listener.
  socket.prependOnceListener('close', () => {
    stackTraceLimit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
  })
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit
  })
  socket.destroy()
}

/**
 * Makes a check of each request before its answer: closes a connection, and returns true, when too many pipelined
 * requests wait on it. Without the limit one packet could start a thousand unread answers.
 */
export const createPipelineLimit = () => {
  const waiting = new WeakMap<Socket, number>()
  return ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
    // An answer has its socket at once unless an earlier one is still being sent.
    if (response.socket) {
      if (waiting.has(socket)) waiting.delete(socket)
      return false
    }
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > MAX_PIPELINED) closeCheaply(socket)
    return count > MAX_PIPELINED
  }
}
