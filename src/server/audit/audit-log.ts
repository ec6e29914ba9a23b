import { createHmac } from 'node:crypto'
import { isIPv4, isIPv6, SocketAddress } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { emailSearchTerm } from '#domain/common/addresses.ts'
import type { Queryable } from '#server/db/database.ts'
import type { AuditRow } from '#server/db/tables.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { deriveKey } from '#server/runtime/sealing.ts'
import { insertAuditEvents } from './audit-events.store.ts'
import { type AuditEvent, type AuditFacts, newAuditRow } from './audit-events.ts'

/** The network that an address is in: /24 of IPv4, /48 of IPv6; null for what is no address. */
export const networkOf = (address: string): string | null => {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address
  if (isIPv4(mapped)) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`
  const plain = address.split('%')[0] ?? ''
  return isIPv6(plain) ? `${firstGroups(plain)}::/48` : null
}

/** The first three of the eight groups, written out. */
const firstGroups = (address: string): string => {
  // The system's own spelling: lower case, one run of zeros left out.
  const { address: spelled } = new SocketAddress({ address, family: 'ipv6' })
  const [before = '', after] = spelled.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 3).join(':')
}

/** Records what an operator's command has done; when the database refuses it, a line says so and nothing fails. */
export const recordCommand = async (
  db: Queryable,
  event: AuditEvent,
  detail?: string,
): Promise<void> => {
  try {
    await insertAuditEvents(db, [newAuditRow(event, { detail })])
  } catch (error) {
    console.error(`The audit log was not told: ${error instanceof Error ? error.message : error}`)
  }
}

/** Where a call comes from. */
export type Origin = { ip: string; request_id: string }

export type AuditLog = {
  /** Records an event; settles once it is stored, and never fails. */
  note: (event: AuditEvent, facts?: AuditFacts, origin?: Origin) => Promise<void>
  /** Stores the remaining events, as far as the database takes them. */
  close: () => Promise<void>
}

/** A pseudonym of an address: equal for all spellings of it, and not reversible without SECRET_KEY. */
export const emailHmac = (secretKey: string | Uint8Array): ((email: string) => string) => {
  const key = deriveKey(secretKey, 'audit/emails')
  return (email) =>
    createHmac('sha256', key).update(emailSearchTerm(email).toLowerCase()).digest('base64url')
}

/** The most events kept while the database is unreachable; each is in the log already. */
const MOST_WAITING = 10_000
const LARGEST_BATCH = 500
const RETRY_MS = 1_000
const CLOSING_PATIENCE_MS = 2_000

type Waiting = { row: AuditRow; stored: () => void }

/**
 * Writes audit events: first a line of the log, then a row, in the background. Events are batched, and
 * retried until the database takes them (docs/decisions/021).
 */
export const createAuditLog = (
  db: Queryable,
  { secretKey, log }: { secretKey: string | Uint8Array; log: FastifyBaseLogger },
): AuditLog => {
  const hmacOf = emailHmac(secretKey)
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  let isClosing = false

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, LARGEST_BATCH)
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
      if (waiting.length >= MOST_WAITING) {
        log.error({ event }, 'too many audit events wait: this one is in the log alone')
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        waiting.push({ row, stored: resolve })
        writing ??= write()
      })
    },
    close: async () => {
      isClosing = true
      await settleWithin(CLOSING_PATIENCE_MS, writing)
    },
  }
}
