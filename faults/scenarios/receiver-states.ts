import type pg from 'pg'
import { CHANNELS } from '#domain/common/vocabulary.ts'
import {
  consentAtKit,
  type ExternalServices,
  type SignedInCreator,
} from '#server/testing/quizzes/external-services.ts'

/** States of the tools, webhook receivers and mail server while the product is killed. */
export const RECEIVER_STATES = ['healthy', 'slow', 'down', 'refusing', 'revoked'] as const
type ReceiverState = (typeof RECEIVER_STATES)[number]

/** Number of failures that is never used up. */
const UNLIMITED = 1_000_000
/** Number of refused calls. */
const NB_REFUSALS = 12
const SLOW_DELAY_MS = 400

/** Returns the write call of each receiver with a response that refuses it permanently. */
const writeCallsOf = ({ kit, systemio, brevo, receiver }: ExternalServices) => [
  { fake: kit, path: /^\/v4\/subscribers$/, status: 422, body: { errors: ['Refused'] } },
  { fake: systemio, path: /^\/api\/contacts$/, status: 422, body: { detail: 'Refused' } },
  { fake: brevo, path: /^\/v3\/contacts$/, status: 400, body: { code: 'invalid_parameter' } },
  { fake: receiver, path: /^\/hooks\//, status: 400, body: {} },
]

/** Puts all receivers into a state, until `restoreReceivers` is called. */
export const setReceiverState = (receivers: ExternalServices, state: ReceiverState): void => {
  const { kit, systemio, brevo, mails } = receivers
  if (state === 'slow') mails.fail({ how: 'held', times: UNLIMITED })
  if (state === 'down') mails.fail({ how: 'away', times: UNLIMITED })
  if (state === 'refusing') mails.fail({ how: { status: 550, at: 'RCPT' }, times: NB_REFUSALS })
  if (state === 'revoked') {
    kit.uninstall()
    systemio.keys.remove('systemeio-demo')
    brevo.keys.remove('xkeysib-demo')
  }
  for (const { fake, path, status, body } of writeCallsOf(receivers)) {
    if (state === 'slow') fake.fail({ mode: 'slow', delay_ms: SLOW_DELAY_MS, times: UNLIMITED })
    if (state === 'down') fake.fail({ mode: 'before', times: UNLIMITED })
    if (state === 'refusing')
      fake.fail({ mode: 'before', method: 'POST', path, status, body, times: NB_REFUSALS })
  }
}

/** Makes all receivers answer normally again. */
export const restoreReceivers = (receivers: ExternalServices): void => {
  const { kit, systemio, brevo, receiver, mails } = receivers
  for (const service of [kit, systemio, brevo, receiver, mails]) service.heal()
}

/** Reconnects the accounts after their keys were revoked. */
export const reconnectAccounts = async (
  receivers: ExternalServices,
  caller: SignedInCreator,
): Promise<void> => {
  const { systemio, brevo } = receivers
  systemio.keys.add('systemeio-demo')
  brevo.keys.add('xkeysib-demo')
  await consentAtKit(receivers, caller)
  const { integrations } = caller.client
  await integrations.saveSystemio({ body: { api_key: 'systemeio-demo' } })
  await integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
}

/** Repeats refused deliveries and erasures, and returns their number. */
export const retryRefusedDeliveries = async (
  { client }: SignedInCreator,
  id: string,
): Promise<number> => {
  let nb_repeated = 0
  for (const provider of CHANNELS)
    nb_repeated += (await client.deliveries.retry({ id, body: { provider } })).nb_retried
  const { erasures } = await client.erasures.list({ id })
  for (const erasure of erasures.filter(
    ({ can_retry, status }) => can_retry && status === 'refused',
  )) {
    await client.erasures.retry({ id, erasureId: erasure.id })
    nb_repeated++
  }
  return nb_repeated
}

/** Ends all leases, because the process that held them was killed. */
export const endLeases = async (database: pg.Client): Promise<void> => {
  for (const table of ['deliveries', 'erasures'])
    await database.query(
      `update ${table} set next_attempt_at = now(), lease_id = null, lease_until = null
       where status = 'pending' and lease_id is not null`,
    )
}

/** Makes pending deliveries and erasures without a lease due now, and returns the number of all pending ones. */
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
