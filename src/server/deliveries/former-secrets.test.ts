import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { createIntegrations } from '#server/integrations/create-integrations.ts'
import { credential } from '#server/integrations/providers/provider-requests.ts'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { CHANNEL_RATE_LIMITS } from './channel-rate-limits.ts'
import type { Send } from './send.ts'
import type { BlockedConnection } from './settlements.store.ts'
import { createWorker } from './worker.ts'

const t = await createIntegrationsApp({ WEBHOOKS_TO_LOOPBACK: 'on' })
after(() => t.close())
const { db } = t
const log = pino({ enabled: false })
/** Rate limit that allows immediate retries. */
const QUICK = { ...CHANNEL_RATE_LIMITS.webhook, per_second: 1_000 }

/** Sends due deliveries with the given function, and returns the connections whose creators were notified. */
const drainBy = async (send: Send): Promise<BlockedConnection[]> => {
  const blocked: BlockedConnection[] = []
  const worker = createWorker({
    db,
    send,
    log,
    erase: () => Promise.reject(new Error('There is none')),
    rateLimits: { ...CHANNEL_RATE_LIMITS, brevo: QUICK, webhook: QUICK },
    notifyCreator: async (_, notice) => void blocked.push(notice),
  })
  await worker.drain()
  await worker.close()
  return blocked
}
/** Returns a sender that calls `act` and refuses the first attempt, then delivers the next attempts. */
const refusedOnce = (code: 'payment_required' | 'gone', act: () => Promise<unknown>): Send => {
  let nb_tries = 0
  return async () => {
    nb_tries += 1
    if (nb_tries > 1) return { kind: 'delivered', vendor_contact_id: null, completed_calls: {} }
    await act()
    return { ...credential(code), completed_calls: {} }
  }
}
const quizOf = async ({ client }: SignedUp) => {
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
  const take = () =>
    t.client.publicQuiz.submit({
      id: quiz.id,
      body: {
        answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' },
      },
    })
  return { id: quiz.id, take }
}
const stateOf = async ({ client }: SignedUp, id: string) => {
  const { ledgers } = await client.deliveries.list({ id })
  return ledgers.map(({ connection, balance }) => [connection, balance.delivered])
}
const save = ({ client }: SignedUp, api_key: string) => {
  t.brevo.keys.add(api_key)
  return client.integrations.saveBrevo({ body: { api_key } })
}

test('a refusal of a former key does not block a connection with a newer key', async () => {
  const creator = await t.signUp()
  await save(creator, 'xkeysib-first')
  const { id, take } = await quizOf(creator)
  await creator.client.integrations.setBrevo({ id, body: { enabled: true } })
  await take()
  const send = refusedOnce('payment_required', () => save(creator, 'xkeysib-second'))
  assert.deepEqual(await drainBy(send), [])
  assert.deepEqual(await stateOf(creator, id), [['active', 1]])
})

for (const [what, act] of [
  ['another address', { url: 'http://127.0.0.1:9999/autre' }],
  ['another secret', undefined],
] as const)
  test(`a refusal does not block a webhook that already has ${what}`, async () => {
    const creator = await t.signUp()
    const { webhooks } = creator.client
    const { id, take } = await quizOf(creator)
    const { webhook } = await webhooks.add({ id, body: { url: 'http://127.0.0.1:9999/une' } })
    await take()
    const at = { id, webhookId: webhook.id }
    const send = refusedOnce('gone', () =>
      act ? webhooks.update({ ...at, body: act }) : webhooks.rotate(at),
    )
    assert.deepEqual(await drainBy(send), [])
    assert.deepEqual(await stateOf(creator, id), [['active', 1]])
  })

test('a refused request of a screen does not block a connection with a newer key', async () => {
  const creator = await t.signUp()
  const { config } = t
  const secretKey = 'a secret that only tests know of'
  const integrations = createIntegrations({ db, config, secretKey, log })
  await save(creator, 'xkeysib-third')
  const { id } = await db
    .selectFrom('integration_connections')
    .select('id')
    .where('user_id', '=', creator.user_id)
    .executeTakeFirstOrThrow()
  const refuseAfter = (act: () => Promise<unknown>) =>
    integrations.use(id, async () => {
      await act()
      return credential('forbidden')
    })
  await refuseAfter(() => save(creator, 'xkeysib-fourth'))
  assert.equal((await creator.client.integrations.brevoStatus()).needs_attention, false)
  await refuseAfter(async () => undefined)
  assert.equal((await creator.client.integrations.brevoStatus()).needs_attention, true)
})
