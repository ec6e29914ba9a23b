import type pg from 'pg'
import { CHANNELS } from '#domain/common/vocabulary.ts'
import {
  type Caller,
  consentAtKit,
  type OtherSides,
} from '#server/testing/quizzes/automated-quiz.ts'

/** States of the tools, webhook receivers and mail server during a kill. */
export const SITUATIONS = ['healthy', 'slow', 'down', 'refusing', 'revoked'] as const
type Situation = (typeof SITUATIONS)[number]

const FOR_LONG = 1_000_000
const REFUSED = 12
const LATE_MS = 400

/** Write calls of each tool, with a permanent refusal. */
const writesAt = ({ kit, systemio, brevo, receiver }: OtherSides) => [
  { fake: kit, path: /^\/v4\/subscribers$/, status: 422, body: { errors: ['Refused'] } },
  { fake: systemio, path: /^\/api\/contacts$/, status: 422, body: { detail: 'Refused' } },
  { fake: brevo, path: /^\/v3\/contacts$/, status: 400, body: { code: 'invalid_parameter' } },
  { fake: receiver, path: /^\/hooks\//, status: 400, body: {} },
]

/** Puts all receivers into a state, until `restoreReceivers` is called. */
export const setReceiverState = (sides: OtherSides, situation: Situation): void => {
  const { kit, systemio, brevo, mails } = sides
  if (situation === 'slow') mails.fail({ how: 'held', times: FOR_LONG })
  if (situation === 'down') mails.fail({ how: 'away', times: FOR_LONG })
  if (situation === 'refusing') mails.fail({ how: { status: 550, at: 'RCPT' }, times: REFUSED })
  if (situation === 'revoked') {
    kit.uninstall()
    systemio.keys.remove('systemeio-demo')
    brevo.keys.remove('xkeysib-demo')
  }
  for (const { fake, path, status, body } of writesAt(sides)) {
    if (situation === 'slow') fake.fail({ mode: 'slow', delay_ms: LATE_MS, times: FOR_LONG })
    if (situation === 'down') fake.fail({ mode: 'before', times: FOR_LONG })
    if (situation === 'refusing')
      fake.fail({ ...{ mode: 'before', method: 'POST', path, status, body }, times: REFUSED })
  }
}

/** Makes all receivers answer normally again. */
export const restoreReceivers = (sides: OtherSides): void => {
  const { kit, systemio, brevo, receiver, mails } = sides
  for (const one of [kit, systemio, brevo, receiver, mails]) one.heal()
}

/** Reconnects the accounts after their keys were revoked. */
export const connectAgain = async (sides: OtherSides, caller: Caller): Promise<void> => {
  const { systemio, brevo } = sides
  systemio.keys.add('systemeio-demo')
  brevo.keys.add('xkeysib-demo')
  await consentAtKit(sides, caller)
  const { integrations } = caller.client
  await integrations.saveSystemio({ body: { api_key: 'systemeio-demo' } })
  await integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
}

/** Resends refused deliveries and returns their number. */
export const sendRefusedAgain = async ({ client }: Caller, id: string): Promise<number> => {
  let nb_again = 0
  for (const provider of CHANNELS)
    nb_again += (await client.deliveries.retry({ id, body: { provider } })).nb_retried
  const { erasures } = await client.erasures.list({ id })
  for (const one of erasures.filter(({ can_retry, status }) => can_retry && status === 'refused')) {
    await client.erasures.retry({ id, erasureId: one.id })
    nb_again++
  }
  return nb_again
}

/** Expires all leases, because their process is dead. */
export const endLeases = async (database: pg.Client): Promise<void> => {
  for (const table of ['deliveries', 'erasures'])
    await database.query(
      `update ${table} set next_attempt_at = now(), lease_until = now()
       where status = 'pending' and lease_id is not null`,
    )
}

/** Makes waiting deliveries without a lease due now, and returns the number of pending ones. */
export const makeDeliveriesDue = async (database: pg.Client): Promise<number> => {
  for (const table of ['deliveries', 'erasures'])
    await database.query(
      `update ${table} set next_attempt_at = now()
       where status = 'pending' and lease_id is null and next_attempt_at > now()`,
    )
  await database.query(
    'update rate_limit_buckets set tokens = 20, held_until = null where blocked_since is null',
  )
  const { rows } = await database.query<{ count: number }>(
    `select (select count(*) from deliveries where status = 'pending')::integer
       + (select count(*) from erasures where status = 'pending')::integer as count`,
  )
  return rows[0]?.count ?? 0
}
