import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { testEveryFakeVariant } from '#server/testing/app/fake-variant-tests.ts'
import { type ConnectedCreator, createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, submitParticipant, advanceClock, finishDeliveries, listPeopleAtTools } = app

const HOUR_MS = 3_600_000
const deliveryOf = (participant_uuid: string, provider: ProviderName) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('participant_uuid', '=', participant_uuid)
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow()
const resultOf = (
  { account }: ConnectedCreator,
  provider: ProviderName,
  address: string,
): unknown => listPeopleAtTools(account)[provider].find(({ email }) => email === address)?.result

/** Deletes an attribute at Brevo together with all its values. */
const deleteAttribute = ({ account }: ConnectedCreator): void => {
  const { attributes, contacts } = fakes.brevo.accountOf(account)
  attributes.delete('RESULTAT_QUIZ')
  for (const contact of contacts.values()) contact.attributes = {}
}

testEveryFakeVariant(app, () => {
  testInAll(
    'an attribute that was deleted at Brevo is noticed at the next known contact',
    async () => {
      const creator = await app.connectCreator()
      const quiz = await app.createForwardingQuiz(creator, ['brevo'])
      await submitParticipant(quiz, 'a@exemple.fr')
      await finishDeliveries()
      deleteAttribute(creator)
      const { result_name: result } = await submitParticipant(quiz, 'a@exemple.fr', 1)
      await finishDeliveries()
      assert.equal(resultOf(creator, 'brevo', 'a@exemple.fr'), result)
    },
  )

  test('an attribute that was deleted at Brevo is noticed within a day for unknown contacts, and lost results are sent again', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['brevo'])
    await submitParticipant(quiz, 'a@exemple.fr')
    await finishDeliveries()
    await advanceClock(HOUR_MS)
    deleteAttribute(creator)
    const lost = await submitParticipant(quiz, 'b@exemple.fr', 1)
    await finishDeliveries()
    // Brevo reported success and dropped the value.
    assert.equal(resultOf(creator, 'brevo', 'b@exemple.fr'), undefined)
    await advanceClock(24 * HOUR_MS)
    const next = await submitParticipant(quiz, 'c@exemple.fr')
    await finishDeliveries()
    assert.equal(resultOf(creator, 'brevo', 'c@exemple.fr'), next.result_name)
    assert.equal(resultOf(creator, 'brevo', 'b@exemple.fr'), lost.result_name)
    assert.equal(listPeopleAtTools(creator.account).brevo.length, 3)
  })

  testInAll(
    'lost results of every quiz with the deleted attribute are sent again, even if the reply to its creation is lost',
    async () => {
      for (const isLost of [false, true]) {
        const creator = await app.connectCreator()
        const first = await app.createForwardingQuiz(creator, ['brevo'])
        const second = await app.createForwardingQuiz(creator, ['brevo'])
        await submitParticipant(first, 'a@exemple.fr')
        await submitParticipant(second, 'b@exemple.fr', 1)
        await finishDeliveries()
        await advanceClock(HOUR_MS)
        deleteAttribute(creator)
        const losses = [
          { ...(await submitParticipant(first, 'c@exemple.fr', 1)), email: 'c@exemple.fr' },
          { ...(await submitParticipant(second, 'd@exemple.fr')), email: 'd@exemple.fr' },
        ]
        await finishDeliveries()
        await advanceClock(24 * HOUR_MS)
        if (isLost)
          fakes.brevo.fail({ method: 'POST', path: '/v3/contacts/attributes', mode: 'after' })
        await submitParticipant(first, 'e@exemple.fr')
        await finishDeliveries(60_000)
        await submitParticipant(second, 'f@exemple.fr')
        await finishDeliveries(60_000)
        for (const { participant_uuid, result_name, email } of losses) {
          assert.equal(resultOf(creator, 'brevo', email), result_name, `${email} ${isLost}`)
          assert.equal((await deliveryOf(participant_uuid, 'brevo')).last_code, null)
        }
      }
    },
  )

  test('a field deleted between two deliveries is created again', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['convertkit', 'systemio'])
    await submitParticipant(quiz, 'a@exemple.fr')
    await finishDeliveries()
    fakes.convertkit.accountOf(creator.account).fields.clear()
    fakes.systemio.accountOf(creator.account).fields.delete('resultat_quiz')
    const { result_name: result } = await submitParticipant(quiz, 'b@exemple.fr')
    await finishDeliveries()
    for (const provider of ['convertkit', 'systemio'] as const)
      assert.equal(resultOf(creator, provider, 'b@exemple.fr'), result, provider)
  })

  test('unsubscribed people stay unchanged and are reported as such', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator)
    await submitParticipant(quiz, 'lea@exemple.fr')
    await finishDeliveries()
    const accounts = {
      convertkit: fakes.convertkit.accountOf(creator.account),
      systemio: fakes.systemio.accountOf(creator.account),
      brevo: fakes.brevo.accountOf(creator.account),
    }
    for (const one of accounts.convertkit.subscribers.values()) one.state = 'cancelled'
    for (const one of accounts.systemio.contacts.values()) one.unsubscribed = true
    for (const one of accounts.brevo.contacts.values()) one.emailBlacklisted = true
    const again = await submitParticipant(quiz, 'lea@exemple.fr', 1)
    await finishDeliveries()
    const calls = Object.values(fakes).map(({ journal }) => journal.length)
    for (const provider of PROVIDERS) {
      const { status, attempts } = await deliveryOf(again.participant_uuid, provider)
      assert.deepEqual([status, attempts], ['suppressed', 1], provider)
    }
    await advanceClock(80 * HOUR_MS, 8 * HOUR_MS)
    assert.deepEqual(
      Object.values(fakes).map(({ journal }) => journal.length),
      calls,
    )
    const [subscriber] = accounts.convertkit.subscribers.values()
    const [contact] = accounts.systemio.contacts.values()
    const [listed] = accounts.brevo.contacts.values()
    assert.deepEqual(
      [subscriber?.state, contact?.unsubscribed, listed?.emailBlacklisted],
      ['cancelled', true, true],
    )
  })
})
