import { once } from 'node:events'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { runEvery } from '#server/runtime/run-every.ts'

/** Channels of LISTEN and NOTIFY: changes of quizzes that visitors see, and new or removed participants. */
type Channel = 'quiz_changes' | 'responses'

type Listener = {
  /** Called with the id of the quiz of a notification. */
  onChange: (quiz_id: string) => void
  /** Called when notifications may have been missed. */
  onGap: () => void
}

/** `ready` settles once the channel is first listened to, or was closed before. */
type ChannelHandle = { ready: Promise<void>; close: () => Promise<void> }

/** Listener for notifications of all processes. */
export type Notifications = {
  listen: (channel: Channel, listener: Listener) => ChannelHandle
  /** Returns true if all notifications arrive now; undefined without a listener. */
  isListening: () => boolean | undefined
  close: () => Promise<void>
}

/** Name of the connection in pg_stat_activity. */
export const NOTIFICATIONS_NAME = 'quizaine notices'
const FIRST_DELAY_MS = 100
const MAX_RECONNECT_DELAY_MS = 5_000
/** Interval of a test query, because a connection whose other end is gone gives no sign of it. */
const ASK_EVERY_MS = 5_000
const ANSWER_TIMEOUT_MS = 5_000
const CLOSE_TIMEOUT_MS = 1_000

type Subscription = Listener & { channel: Channel; first: PromiseWithResolvers<void> }

/**
 * Creates the listener for notifications of all processes, on one connection besides the pool. The connection keeps
 * session state, so that no pooler may be between. The connection opens with the first listener, reopens when lost,
 * and closes with the last listener.
 */
export const createNotifications = (
  connection: pg.ClientConfig,
  log: Pick<FastifyBaseLogger, 'warn'>,
  { ask_every_ms = ASK_EVERY_MS, longest_answer_ms = ANSWER_TIMEOUT_MS } = {},
): Notifications => {
  const subscriptions = new Set<Subscription>()
  let current: pg.Client | undefined
  let closing: AbortController | undefined
  let running: Promise<void> | undefined

  const subscriptionsOf = (channel: string): Subscription[] =>
    [...subscriptions].filter((subscription) => subscription.channel === channel)
  /** All notifications arrive once LISTEN was answered; earlier changes must be asked for. */
  const subscribe = async (client: pg.Client, channel: Channel): Promise<void> => {
    await client.query(`listen ${channel}`)
    for (const { onGap, first } of subscriptionsOf(channel)) {
      onGap()
      first.resolve()
    }
  }
  const listenUntilLost = async (signal: AbortSignal, onListening: () => void): Promise<void> => {
    const socket = new Socket()
    const cut = (): void => void socket.destroy()
    const client = new pg.Client({
      ...connection,
      application_name: NOTIFICATIONS_NAME,
      stream: () => socket,
      query_timeout: longest_answer_ms,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    })
    client.on('error', () => undefined)
    client.on('notification', ({ channel, payload }) => {
      if (payload) for (const { onChange } of subscriptionsOf(channel)) onChange(payload)
    })
    let stopAsking: (() => Promise<void>) | undefined
    try {
      await client.connect()
      const lost = once(client, 'end', { signal }).catch(() => undefined)
      current = client
      for (const channel of new Set([...subscriptions].map((subscription) => subscription.channel)))
        await subscribe(client, channel)
      onListening()
      stopAsking = runEvery(ask_every_ms, () => client.query('select 1'), { onFailure: cut })
      await lost
    } finally {
      stopAsking?.()
      current = undefined
      const tooLong = setTimeout(cut, CLOSE_TIMEOUT_MS)
      await client.end().catch(() => undefined)
      clearTimeout(tooLong)
      for (const { onGap } of subscriptions) onGap()
    }
  }
  const run = async (signal: AbortSignal): Promise<void> => {
    let delay_ms = FIRST_DELAY_MS
    while (!signal.aborted) {
      try {
        await listenUntilLost(signal, () => {
          delay_ms = FIRST_DELAY_MS
        })
      } catch (error) {
        if (signal.aborted) break
        log.warn({ err: error }, 'notifications of changes are interrupted')
      }
      await pause(delay_ms, undefined, { ref: false, signal }).catch(() => undefined)
      delay_ms = Math.min(delay_ms * 2, MAX_RECONNECT_DELAY_MS)
    }
  }
  const start = (): void => {
    const before = running
    closing = new AbortController()
    const { signal } = closing
    running = Promise.resolve(before).then(() => run(signal))
  }
  const stop = async (): Promise<void> => {
    closing?.abort()
    closing = undefined
    await running
  }

  return {
    listen: (channel, listener) => {
      const subscription = { ...listener, channel, first: Promise.withResolvers<void>() }
      subscriptions.add(subscription)
      if (!closing) start()
      // A failure ends the connection, and the next connection listens to all channels.
      else if (current) subscribe(current, channel).catch(() => undefined)
      return {
        ready: subscription.first.promise,
        close: async () => {
          subscriptions.delete(subscription)
          subscription.first.resolve()
          if (subscriptions.size === 0) await stop()
        },
      }
    },
    isListening: () => (subscriptions.size > 0 ? current !== undefined : undefined),
    close: async () => {
      for (const { first } of subscriptions) first.resolve()
      subscriptions.clear()
      await stop()
    },
  }
}
