import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { RefusedCall } from '#contract/client/client.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { setForwarding } from '#server/testing/app/store-connections.ts'
import {
  publishedOptionalEmailQuiz,
  publishedScoreQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'
import { reconcile } from './reconcile.store.ts'

const app = await createOutboxApp()
after(() => app.close())
const { db, submitParticipant, finishDeliveries, fakes } = app

const balances = (ledgers: { balance: Record<string, number> }[]): boolean =>
  ledgers.every(
    ({ balance: { nb_participants, ...parts } }) =>
      Object.values(parts).every((part) => part >= 0) &&
      Object.values(parts).reduce((sum, part) => sum + part, 0) === nb_participants,
  )

describe('the ledger of a quiz', () => {
  test('the ledger of a quiz balances for any order of responses', async () => {
    const creator = await app.connectCreator()
    const { client } = creator
    const quiz = await publishedOptionalEmailQuiz(client)
    await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'box' } })
    await submitParticipant(quiz, 'avant@exemple.fr')
    await setForwarding(db, quiz.id, 'brevo')
    while (
      (await app.client.publicQuiz.snapshot({ id: quiz.id })).snapshot.questions[1]?.consent ===
      undefined
    );
    await submitParticipant(quiz, 'oui@exemple.fr', 0, 1)
    await submitParticipant(quiz, 'non@exemple.fr', 0, 0)
    await submitParticipant(quiz, '', 0, 1)
    await submitParticipant(quiz, 'refus@sans-courrier.test', 0, 1)
    await finishDeliveries()
    const { ledgers, deliveries } = await client.deliveries.list({ id: quiz.id })
    assert.deepEqual(
      ledgers.map(({ provider, balance }) => ({ provider, ...balance })),
      [
        {
          provider: 'brevo',
          nb_participants: 5,
          delivered: 1,
          pending: 0,
          suppressed: 0,
          refused: 1,
          no_consent: 1,
          no_email: 1,
          awaiting_confirmation: 0,
          not_confirmed: 0,
          not_forwarded: 1,
        },
      ],
    )
    assert.ok(balances(ledgers))
    assert.deepEqual(
      deliveries.map(({ status, email }) => [status, email]),
      [
        ['refused', 'refus@sans-courrier.test'],
        ['no_email', null],
        ['no_consent', 'non@exemple.fr'],
        ['delivered', 'oui@exemple.fr'],
      ],
    )
    assert.equal(deliveries[0]?.reason, 'L’adresse n’existe pas ou ne peut pas recevoir d’emails.')
  })

  test('the ledger says whether the published version asks for an address, regardless of the draft', async () => {
    const { client } = await app.connectCreator()
    const { id, open_id } = await publishedScoreQuiz(client)
    const asks = async () => (await client.deliveries.list({ id })).asks_for_email
    assert.equal(await asks(), true)
    await client.questions.remove({ id: open_id })
    assert.equal(await asks(), true)
    await client.quizzes.publish({ id })
    assert.equal(await asks(), false)
    await client.questions.create({ id, body: { text: 'Où vous écrire ?', type: 'email' } })
    assert.equal(await asks(), false)
    await client.quizzes.update({ id, body: { status: 'Brouillon' } })
    assert.equal(await asks(), null)
  })

  test('the ledger says why a participant was not asked or did not agree', async () => {
    const creator = await app.connectCreator()
    const { client } = creator
    const quiz = await publishedOptionalEmailQuiz(client)
    await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'box' } })
    await submitParticipant(quiz, 'avant@exemple.fr')
    await submitParticipant(quiz, '')
    await setForwarding(db, quiz.id, 'brevo')
    await submitParticipant(quiz, 'non@exemple.fr', 0, 0)
    await submitParticipant(quiz, 'pas-de-case@exemple.fr')
    const { ledgers, deliveries } = await client.deliveries.list({ id: quiz.id })
    assert.deepEqual(
      deliveries.map(({ email, reason }) => [email, reason]),
      [
        ['pas-de-case@exemple.fr', 'L’accord ne lui a pas été demandé.'],
        ['non@exemple.fr', 'La case n’a pas été cochée.'],
      ],
    )
    assert.equal(ledgers[0]?.balance.not_forwarded, 2)
    assert.deepEqual(await client.deliveries.earlier({ id: quiz.id }), {
      providers: [{ provider: 'brevo', nb_participants: 0, nb_not_asked: 1 }],
    })
  })

  test('the ledger of all quizzes shows which tools refuse the account', async () => {
    const { client, connections } = await app.connectCreator()
    const refusing = async () =>
      (await client.deliveries.summary()).providers
        .filter(({ needs_attention }) => needs_attention)
        .map(({ provider }) => provider)
    assert.deepEqual(await refusing(), [])
    await db
      .updateTable('integration_connections')
      .set({ status: 'needs_attention', status_reason: 'invalid_key' })
      .where('id', '=', connections.systemio)
      .execute()
    assert.deepEqual(await refusing(), ['systemio'])
    const other = await app.connectCreator()
    assert.ok(
      (await other.client.deliveries.summary()).providers.every(
        (provider) => !provider.needs_attention,
      ),
    )
  })

  test('the ledger can be searched by address and status, page by page', async () => {
    const creator = await app.connectCreator()
    const { client } = creator
    const quiz = await app.createForwardingQuiz(creator)
    for (let index = 0; index < 20; index += 1)
      await submitParticipant(quiz, `p${index}@exemple.fr`)
    const found = await client.deliveries.list({ id: quiz.id, email: 'P1' })
    assert.equal(found.deliveries.length, 11 * 3)
    assert.ok(found.deliveries.every(({ email }) => email?.startsWith('p1')))
    assert.equal((await client.deliveries.list({ id: quiz.id, email: 'p%' })).deliveries.length, 0)
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await client.deliveries.list({ id: quiz.id, cursor })
      for (const { participant_uuid, provider } of page.deliveries)
        seen.add(`${participant_uuid} ${provider}`)
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    assert.equal(seen.size, 60)
    const one = await client.deliveries.list({
      id: quiz.id,
      provider: 'brevo',
      status: 'delivered',
    })
    assert.deepEqual(one.deliveries, [])
    await finishDeliveries()
    const all = await client.deliveries.list({
      id: quiz.id,
      provider: 'brevo',
      status: 'delivered',
    })
    assert.equal(all.deliveries.length, 20)
    const { providers } = await client.deliveries.summary()
    assert.deepEqual(
      providers.map(({ delivered, pending }) => [delivered, pending]),
      Array(3).fill([20, 0]),
    )
  })

  test('the ledger lists pending and settled deliveries of one quiz, newest first', async () => {
    const creator = await app.connectCreator()
    const { client } = creator
    const [quiz, other] = [
      await app.createForwardingQuiz(creator, ['brevo', 'convertkit']),
      await app.createForwardingQuiz(creator, ['brevo', 'convertkit']),
    ]
    const taken: string[] = []
    for (let index = 0; index < 30; index += 1) {
      taken.unshift((await submitParticipant(quiz, `m${index}@exemple.fr`)).participant_uuid)
      await submitParticipant(other, `n${index}@exemple.fr`)
    }
    await db
      .updateTable('deliveries')
      .set({ status: 'delivered', next_attempt_at: null })
      .where('participant_uuid', 'in', (query) =>
        query
          .selectFrom('responses')
          .select('participant_uuid')
          .where('quiz_id', 'in', [quiz.id, other.id])
          .where('email', 'like', '%3@%'),
      )
      .where('provider', '=', 'brevo')
      .execute()
    const listed = async (asked: { status?: 'pending'; provider?: 'brevo' }) => {
      const rows: { participant_uuid: string; status: string }[] = []
      let cursor: string | undefined
      do {
        const page = await client.deliveries.list({ id: quiz.id, cursor, ...asked })
        rows.push(...page.deliveries)
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      return rows
    }
    const all = await listed({})
    assert.deepEqual(
      all.map(({ participant_uuid }) => participant_uuid),
      taken.flatMap((uuid) => [uuid, uuid]),
    )
    assert.equal(all.filter(({ status }) => status === 'delivered').length, 3)
    const waiting = await listed({ status: 'pending', provider: 'brevo' })
    assert.equal(waiting.length, 27)
    assert.ok(waiting.every(({ status }) => status === 'pending'))
    await finishDeliveries()
  })

  test('only its creator can see a ledger', async () => {
    const quiz = await app.createForwardingQuiz(await app.connectCreator())
    const { client } = await app.signUp()
    for (const call of [
      () => client.deliveries.list({ id: quiz.id }),
      () => client.deliveries.retry({ id: quiz.id, body: { provider: 'brevo' } }),
      () =>
        client.deliveries.test({ id: quiz.id, body: { provider: 'brevo', email: 'a@exemple.fr' } }),
    ])
      await assert.rejects(call, (error) => error instanceof RefusedCall && error.status === 404)
  })
})

test('refused deliveries are retried on request', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['brevo'])
  fakes.brevo.fail({
    path: '/v3/contacts',
    method: 'POST',
    mode: 'before',
    status: 400,
    body: { code: 'invalid_parameter', message: 'Invalid email address' },
    times: 2,
  })
  const first = await submitParticipant(quiz, 'a@exemple.fr')
  await submitParticipant(quiz, 'b@exemple.fr')
  await finishDeliveries()
  const { client } = creator
  const { nb_retried } = await client.deliveries.retry({
    id: quiz.id,
    body: { provider: 'brevo', participant_uuid: first.participant_uuid },
  })
  assert.equal(nb_retried, 1)
  const all = await client.deliveries.retry({ id: quiz.id, body: { provider: 'brevo' } })
  assert.equal(all.nb_retried, 1)
  await finishDeliveries()
  const { ledgers } = await client.deliveries.list({ id: quiz.id })
  assert.equal(ledgers[0]?.balance.delivered, 2)
  assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
})

test('missing deliveries are inserted and counted', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['brevo'])
  const { participant_uuid, result_name } = await submitParticipant(quiz, 'a@exemple.fr')
  await submitParticipant(quiz, 'b@exemple.fr')
  assert.equal(await reconcile(db), 0)
  await db.deleteFrom('deliveries').where('participant_uuid', '=', participant_uuid).execute()
  assert.equal(await reconcile(db), 1)
  const found = await creator.client.deliveries.list({ id: quiz.id })
  assert.equal(found.ledgers[0]?.check?.nb_missing, 1)
  assert.equal(found.ledgers[0]?.check?.nb_checked, 2)
  assert.deepEqual(
    found.deliveries.map(({ status, result_name: name }) => [status, name]),
    Array(2).fill(['pending', result_name]),
  )
  assert.equal(await reconcile(db), 0)
  await finishDeliveries()
  assert.equal(app.listPeopleAtTools(creator.account).brevo.length, 2)
})
