/** Prints the audit log as JSON lines, oldest event first (docs/audit.md). */
import { parseArgs } from 'node:util'
import { listAuditEvents } from '#server/audit/audit-events.store.ts'
import { AUDIT_EVENTS } from '#server/audit/audit-events.ts'
import { emailHmac } from '#server/audit/audit-log.ts'
import { withSource } from '#server/backup/source-and-target.ts'
import { readConfig } from '#server/config/config.ts'
import { findSecretKey } from '#server/runtime/secret-key.ts'
import { UUID } from '#server/runtime/uuid.ts'
import { fail } from './fail.ts'

const UNITS_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns the time that a duration before now (90m, 24h, 7d) or a date describes. */
const readSince = (text: string): Date => {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const since = count
    ? new Date(Date.now() - Number(count) * (UNITS_MS[unit] ?? 0))
    : new Date(text)
  if (Number.isNaN(since.getTime()))
    throw new Error('--since is a time as 90m, 24h or 7d, or a date as 2026-11-01')
  return since
}

const readAuditLog = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      since: { type: 'string', default: '24h' },
      event: { type: 'string' },
      actor: { type: 'string' },
      email: { type: 'string' },
      limit: { type: 'string', default: '10000' },
    },
  })
  const { event = null, actor = null, email, limit } = values
  if (event && !AUDIT_EVENTS.some((known) => known === event))
    throw new Error(`--event is one of ${AUDIT_EVENTS.join(', ')}`)
  if (actor && !UUID.test(actor)) throw new Error('--actor is the id of an account')
  if (!/^[1-9]\d{0,6}$/.test(limit)) throw new Error('--limit is a whole number from 1')
  const config = readConfig(process.env)
  const key = email ? findSecretKey(config) : undefined
  if (email && !key)
    throw new Error('--email needs the SECRET_KEY that the events were written with')
  const email_hmac = email && key ? emailHmac(key)(email) : null
  const since = readSince(values.since)
  const wanted = { since, event, actor_id: actor, email_hmac, limit: Number(limit) }
  const rows = await withSource(config, (client) => listAuditEvents(client, wanted))
  for (const row of rows) console.log(JSON.stringify(row))
}

await readAuditLog().catch(fail)
