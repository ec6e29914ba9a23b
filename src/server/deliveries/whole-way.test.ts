import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { pino } from 'pino'
import { createIntegrations } from '#server/integrations/create-integrations.ts'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { CHANNEL_RATE_LIMITS } from './channel-rate-limits.ts'
import { createSend, createTools } from './send.ts'
import type { BlockedConnection } from './settlements.store.ts'
import { createWorker } from './worker.ts'

const t = await createIntegrationsApp()
const { db } = t
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const integrations = createIntegrations({
  db,
  config: t.config,
  secretKey: 'a secret that only tests know of',
  log,
})
const blocked: BlockedConnection[] = []
const worker = createWorker({
  db,
  send: createSend({
    tools: createTools(db, integrations),
    sendWebhook: () => Promise.reject(new Error('There is none')),
    sendMail: () => Promise.reject(new Error('There is none')),
  }),
  erase: () => Promise.reject(new Error('There is none')),
  log,
  notifyCreator: async (_, notice) => void blocked.push(notice),
  // The rate exceeds the limit of the tool, because this test is about tokens.
  rateLimits: {
    ...CHANNEL_RATE_LIMITS,
    convertkit: { per_second: 1_000, burst: 1_000, parallel: 10, calls: 1, lease_s: 60 },
    systemio: { per_second: 1_000, burst: 1_000, parallel: 1, calls: 1, lease_s: 60 },
    brevo: { per_second: 1_000, burst: 1_000, parallel: 4, calls: 1, lease_s: 60 },
    webhook: { per_second: 1_000, burst: 1_000, parallel: 4, calls: 1, lease_s: 60 },
  },
})
after(async () => {
  await worker.close()
  await t.close()
})
afterEach(() => {
  t.kit.heal()
  t.kit.switches.reuse_ends_grant = false
})

const refreshes = () =>
  t.kit.journal.filter(
    ({ path, body }) => path.endsWith('/token') && body.includes('refresh_token'),
  ).length

const forwarding = async (creator: SignedUp, account: string): Promise<SampleQuiz> => {
  await t.connectKit(creator, account)
  const { client } = creator
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
  await client.integrations.setConvertkit({ id: quiz.id, body: { enabled: true } })
  return quiz
}
const takeMany = async (quiz: SampleQuiz, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1)
    await t.client.publicQuiz.submit({
      id: quiz.id,
      body: {
        answers: {
          [quiz.question_id]: quiz.answer_ids[0] ?? '',
          [quiz.open_id]: `p${index}@exemple.fr`,
        },
      },
    })
}
const statusesOf = async ({ client }: SignedUp, { id }: SampleQuiz) => {
  const { ledgers } = await client.deliveries.list({ id })
  return ledgers[0]
}

test('a token that expires during ten concurrent deliveries is refreshed once, and all arrive', async () => {
  const creator = await t.signUp()
  const quiz = await forwarding(creator, 'dix')
  await takeMany(quiz, 10)
  const before = refreshes()
  t.kit.endAccess()
  await worker.drain()
  assert.equal(refreshes(), before + 1)
  assert.equal(t.kit.accountOf('dix').subscribers.size, 10)
  assert.equal((await statusesOf(creator, quiz))?.balance.delivered, 10)
})

for (const reuse_ends_grant of [false, true])
  test(`after a lost refresh reply, deliveries wait until the creator reconnects (reuse revokes the grant: ${reuse_ends_grant})`, async () => {
    t.kit.switches.reuse_ends_grant = reuse_ends_grant
    const account = `perdu-${reuse_ends_grant}`
    const creator = await t.signUp()
    const quiz = await forwarding(creator, account)
    await takeMany(quiz, 3)
    t.kit.endAccess()
    t.kit.fail({ path: /token/, mode: 'after' })
    await worker.drain()
    await db
      .updateTable('deliveries')
      .set({ next_attempt_at: new Date(0) })
      .execute()
    await worker.drain()
    const stopped = await statusesOf(creator, quiz)
    assert.equal(stopped?.connection, 'needs_attention')
    assert.match(stopped?.message ?? '', /Reconnectez Kit/)
    assert.equal(stopped?.balance.pending, 3)
    assert.equal(blocked.filter(({ user_id }) => user_id === creator.user_id).length, 1)
    await t.connectKit(creator, account)
    await worker.drain()
    assert.equal(t.kit.accountOf(account).subscribers.size, 3)
    assert.equal((await statusesOf(creator, quiz))?.balance.delivered, 3)
  })

test('results of all quizzes that were sent into a deleted field are sent again after a switch is saved', async () => {
  const creator = await t.signUp()
  t.brevo.keys.add('xkeysib-remis', { account: 'remis' })
  const { client } = creator
  await client.integrations.saveBrevo({ body: { api_key: 'xkeysib-remis' } })
  const { attributes, contacts } = t.brevo.accountOf('remis')
  const quizzes = [await publishedScoreQuiz(client), await publishedScoreQuiz(client)]
  for (const { id } of quizzes) {
    await client.quizzes.update({ id, body: { consent_mode: 'requested' } })
    await client.integrations.setBrevo({ id, body: { enabled: true } })
  }
  attributes.delete('RESULTAT_QUIZ')
  for (const [index, { id, question_id, answer_ids, open_id }] of quizzes.entries()) {
    const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: `p${index}@exemple.fr` }
    await t.client.publicQuiz.submit({ id, body: { answers } })
  }
  await worker.drain()
  const results = () => [...contacts.values()].map((contact) => contact.attributes.RESULTAT_QUIZ)
  assert.deepEqual(results(), [undefined, undefined])
  await client.integrations.setBrevo({ id: quizzes[1]?.id ?? '', body: { enabled: true } })
  await worker.drain()
  assert.deepEqual(results(), ['Pas à pas', 'Pas à pas'])
})

test('logs contain no personal data, and replies contain no secret', () => {
  const own = lines.join('\n')
  assert.doesNotMatch(own + t.loggedAndAnswered(), /at_\w{10}|rt_\w{10}|cs_demo/)
  assert.doesNotMatch(own + t.logged(), /p\d@exemple\.fr/)
})
