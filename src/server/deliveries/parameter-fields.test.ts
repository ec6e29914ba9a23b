import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { type ConnectedCreator, createOutboxApp } from '#server/testing/app/outbox-app.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createToolFields } from '#server/testing/quizzes/tool-fields.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, advanceClock, finishDeliveries } = app
const { valuesOf, deleteField, refuseFields } = createToolFields(app)
const usual = { ...fakes.convertkit.switches }
afterEach(() => {
  for (const fake of Object.values(fakes)) fake.heal()
  Object.assign(fakes.convertkit.switches, usual)
})

const DAY_MS = 24 * 3_600_000
const CAME = '?utm_source=newsletter&utm_term=l%27%C3%A9t%C3%A9&ref=lea&other=x'

const take = (quiz: SampleQuiz, email: string, parameters?: string) =>
  app.submitParticipant(quiz, email, 0, undefined, parameters)

/** Creates a quiz that declares the parameter `ref` and forwards parameters to these tools, unless told otherwise. */
const quizWith = async (
  creator: ConnectedCreator,
  providers: readonly ProviderName[],
  { sends_parameters = true } = {},
): Promise<SampleQuiz> => {
  const quiz = await app.createForwardingQuiz(creator, providers)
  await creator.client.quizzes.update({ id: quiz.id, body: { parameters: ['ref'] } })
  await db
    .updateTable('quiz_integrations')
    .set({ sends_parameters })
    .where('quiz_id', '=', quiz.id)
    .execute()
  return quiz
}

const reasonsOf = async ({ client }: ConnectedCreator, { id }: SampleQuiz) =>
  (await client.deliveries.list({ id })).deliveries.map(({ email, status, reason }) => [
    email,
    status,
    reason,
  ])

for (const provider of PROVIDERS)
  describe(`parameters in fields of ${provider}`, () => {
    test('parameters are not sent unless the quiz allows it', async () => {
      const creator = await app.connectCreator()
      const quiz = await quizWith(creator, [provider], { sends_parameters: false })
      const { result_name } = await take(quiz, 'a@exemple.fr', CAME)
      await finishDeliveries()
      assert.deepEqual(valuesOf(creator, provider, 'a@exemple.fr'), { resultat_quiz: result_name })
    })

    test('parameters are sent with the result, each in its own field', async () => {
      const creator = await app.connectCreator()
      const quiz = await quizWith(creator, [provider])
      const { result_name } = await take(quiz, 'a@exemple.fr', CAME)
      await take(quiz, 'b@exemple.fr')
      await finishDeliveries()
      assert.deepEqual(valuesOf(creator, provider, 'a@exemple.fr'), {
        resultat_quiz: result_name,
        utm_source: 'newsletter',
        utm_term: "l'été",
        quiz_ref: 'lea',
      })
      assert.deepEqual(valuesOf(creator, provider, 'b@exemple.fr'), { resultat_quiz: result_name })
    })

    test('parameters in known fields take no extra call and delete no value', async () => {
      const creator = await app.connectCreator()
      const quiz = await quizWith(creator, [provider])
      await take(quiz, 'a@exemple.fr', CAME)
      await finishDeliveries()
      const before = fakes[provider].journal.length
      await take(quiz, 'b@exemple.fr', '?ref=paul')
      await finishDeliveries()
      assert.equal(fakes[provider].journal.length, before + 1)
      await take(quiz, 'a@exemple.fr', '?ref=paul')
      await finishDeliveries()
      const { utm_source, quiz_ref } = valuesOf(creator, provider, 'a@exemple.fr')
      assert.deepEqual([utm_source, quiz_ref], ['newsletter', 'paul'])
    })

    testInAll('parameters get a new field if their field was deleted', async () => {
      const creator = await app.connectCreator()
      const quiz = await quizWith(creator, [provider])
      await take(quiz, 'a@exemple.fr', CAME)
      await finishDeliveries()
      deleteField(creator, provider, 'quiz_ref')
      // Brevo reports missing attributes only for known contacts, so the daily check has to find
      // the missing field.
      if (provider === 'brevo') await advanceClock(DAY_MS + 1_000)
      await take(quiz, 'b@exemple.fr', CAME)
      await finishDeliveries()
      assert.equal(valuesOf(creator, provider, 'b@exemple.fr').quiz_ref, 'lea')
    })

    testInAll(
      'parameters without a field do not block the participant, and the ledger names them',
      async () => {
        const creator = await app.connectCreator()
        const quiz = await quizWith(creator, [provider])
        const { result_name } = await take(quiz, 'a@exemple.fr')
        await finishDeliveries()
        refuseFields(provider)
        await take(quiz, 'b@exemple.fr', '?utm_source=x&ref=lea')
        await finishDeliveries()
        assert.deepEqual(valuesOf(creator, provider, 'b@exemple.fr'), {
          resultat_quiz: result_name,
        })
        assert.deepEqual((await reasonsOf(creator, quiz))[0], [
          'b@exemple.fr',
          'delivered',
          'Envoyé sans les champs « utm_source », « ref » : l’outil n’a pas ces champs ou refuse leurs valeurs.',
        ])
        // The fields are not requested again for each participant.
        fakes[provider].heal()
        const before = fakes[provider].journal.length
        await take(quiz, 'c@exemple.fr', '?ref=lea')
        await finishDeliveries()
        assert.equal(fakes[provider].journal.length, before + 1)
      },
    )

    testInAll(
      'parameters are stored once although a process was killed before it stored the outcome',
      async () => {
        const creator = await app.connectCreator()
        const quiz = await quizWith(creator, [provider])
        await take(quiz, 'a@exemple.fr', CAME)
        await finishDeliveries()
        const before = valuesOf(creator, provider, 'a@exemple.fr')
        await db
          .updateTable('quiz_integrations')
          .set({ field_key: null, provisioned_at: null, parameter_fields: '{}' })
          .where('quiz_id', '=', quiz.id)
          .execute()
        await db
          .updateTable('deliveries')
          .set({ status: 'pending', completed_calls: null, settled_at: null, attempts: 0 })
          .set({ lease_id: quiz.id, lease_until: app.now(), next_attempt_at: app.now() })
          .where('quiz_id', '=', quiz.id)
          .execute()
        await finishDeliveries()
        assert.deepEqual(valuesOf(creator, provider, 'a@exemple.fr'), before)
      },
    )
  })

test('a declared parameter never writes into an existing field or the field of the result', async () => {
  const creator = await app.connectCreator()
  const quiz = await quizWith(creator, ['brevo'])
  const { attributes } = fakes.brevo.accountOf(creator.account)
  for (const name of ['VILLE', 'METIER'])
    attributes.set(name, { name, category: 'normal', type: 'text' })
  await creator.client.quizzes.update({ id: quiz.id, body: { parameters: ['ville', 'metier'] } })
  await take(quiz, 'a@exemple.fr', '?ville=Intrus&metier=autre@exemple.fr')
  await finishDeliveries()
  const values = valuesOf(creator, 'brevo', 'a@exemple.fr')
  assert.equal(values.ville, undefined)
  assert.deepEqual([values.quiz_ville, values.quiz_metier], ['Intrus', 'autre@exemple.fr'])
})

testInAll(
  'thirty pending participants with parameters cause at most three 429 replies of Systeme.io',
  async () => {
    const creator = await app.connectCreator()
    const quiz = await quizWith(creator, ['systemio'])
    const people = Array.from({ length: 30 }, (_, at) => `p${100 + at}@exemple.fr`)
    for (const email of people) await take(quiz, email, CAME)
    await finishDeliveries()
    const refused = fakes.systemio.journal.filter(({ status }) => status === 429)
    assert.ok(refused.length <= 3, `${refused.length} calls in vain`)
    for (const email of people) assert.equal(valuesOf(creator, 'systemio', email).quiz_ref, 'lea')
  },
)
