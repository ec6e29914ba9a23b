import { createHmac } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { emailSearchTerm } from '#domain/common/addresses.ts'
import type { Queryable } from '#server/db/database.ts'
import type { AuditRow } from '#server/db/tables.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { ipv6Groups, unwrapMapped } from '#server/runtime/networks.ts'
import { deriveKey } from '#server/runtime/sealing.ts'
import { insertAuditEvents } from './audit-events.store.ts'
import type { AuditEvent, AuditFacts } from './audit-events.ts'

/** Returns the network of an address: IPv4 /24 or IPv6 /48; null for text that is no address. */
export const networkOf = (address: string): string | null => {
  const plain = unwrapMapped(address)
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`
  return isIPv6(plain) ? `${ipv6Groups(plain, 3).join(':')}::/48` : null
}

/** Returns the row of an event at this moment, without an origin. */
export const newAuditRow = (
  event: AuditEvent,
  facts: Omit<AuditFacts, 'email'> = {},
): AuditRow => ({
  at: new Date().toISOString(),
  event,
  outcome: facts.outcome ?? 'ok',
  actor_id: facts.actor_id ?? null,
  session_id: facts.session_id ?? null,
  address: null,
  object_id: facts.object_id ?? null,
  request_id: null,
  email_hmac: null,
  detail: facts.detail ?? null,
})

/** Records a command of an operator. Prints a line instead of failing if the database refuses it. */
export const recordCommand = async (
  db: Queryable,
  event: AuditEvent,
  detail?: string,
): Promise<void> => {
  try {
    await insertAuditEvents(db, [newAuditRow(event, { detail })])
  } catch (error) {
    console.error(
      `The audit log could not be written: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** Origin of a call. */
export type Origin = { ip: string; request_id: string }

/** The audit log of this process. */
export type AuditLog = {
  /** Records an event. Settles once it is stored and never rejects. */
  note: (event: AuditEvent, facts?: AuditFacts, origin?: Origin) => Promise<void>
  /** Stores the waiting events, if the database accepts them. */
  close: () => Promise<void>
}

/**
 * Creates a function that returns a pseudonym of an email address. All spellings of an address have the same
 * pseudonym, and SECRET_KEY is needed to compute it.
 */
export const emailHmac = (secretKey: string | Uint8Array): ((email: string) => string) => {
  const key = deriveKey(secretKey, 'audit/emails')
  return (email) =>
    createHmac('sha256', key).update(emailSearchTerm(email).toLowerCase()).digest('base64url')
}

/** Maximum number of events that wait while the database is unreachable; each is in the log already. */
const MAX_WAITING_EVENTS = 10_000
const MAX_BATCH_SIZE = 500
const RETRY_MS = 1_000
const CLOSE_TIMEOUT_MS = 2_000

type WaitingEvent = { row: AuditRow; stored: () => void }

/**
 * Creates the audit log. An event is written into the log at once and into the database in batches, which are retried
 * until they succeed (docs/decisions/021).
 */
export const createAuditLog = (
  db: Queryable,
  { secretKey, log }: { secretKey: string | Uint8Array; log: FastifyBaseLogger },
): AuditLog => {
  const hmacOf = emailHmac(secretKey)
  let waiting: WaitingEvent[] = []
  let writing: Promise<void> | undefined
  let isClosing = false

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH_SIZE)
      try {
        await insertAuditEvents(
          db,
          batch.map(({ row }) => row),
        )
        waiting = waiting.slice(batch.length)
        for (const { stored } of batch) stored()
      } catch (error) {
        log.error({ err: error, waiting: waiting.length }, 'audit events could not be stored')
        if (isClosing) break
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
      }
    }
    writing = undefined
  }

  return {
    note: (event, { email, ...facts } = {}, origin) => {
      const row: AuditRow = {
        ...newAuditRow(event, facts),
        address: origin ? networkOf(origin.ip) : null,
        request_id: origin?.request_id ?? null,
        email_hmac: email ? hmacOf(email) : null,
      }
      log.info({ audit: row }, event)
      if (waiting.length >= MAX_WAITING_EVENTS) {
        log.error({ event }, 'too many audit events are waiting: this event is only in the log')
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        waiting.push({ row, stored: resolve })
        writing ??= write()
      })
    },
    close: async () => {
      isClosing = true
      await settleWithin(CLOSE_TIMEOUT_MS, writing)
    },
  }
}
