import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import type { MappingSource } from '#domain/deliveries/field-mappings.ts'
import { pickByRun, pickCases } from '#domain/testing/pick-by-run.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { type ConnectedCreator, createOutboxApp } from '#server/testing/app/outbox-app.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createToolFields } from '#server/testing/quizzes/tool-fields.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { reconcile } from './reconcile.store.ts'

// Starts early, because its tests take more than 15 s.

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, submitParticipant, advanceClock, finishDeliveries } = app
const { valuesByEmail, deleteField, refuseFields } = createToolFields(app)
afterEach(() => {
  for (const fake of Object.values(fakes)) fake.heal()
})

const HOUR_MS = 3_600_000
const RESULT = 'resultat_quiz'

/** Mapped fields of the test, by name. Their keys are the names in lower case. */
const FIELDS = { AGENDA: 'question', POINTS: 'score', PROFIL: 'result' } as const
const FIELD_NAMES = Object.keys(FIELDS)
const mapAll = async (
  { client }: ConnectedCreator,
  { id, question_id }: SampleQuiz,
  provider: ProviderName,
): Promise<void> => {
  for (const [field_name, source] of Object.entries(FIELDS) as [string, MappingSource][]) {
    const of = source === 'question' ? { question_id } : {}
    await client.fieldMappings.add({ id, body: { provider, source, field_name, ...of } })
  }
}
/** Values of all fields for each choice of the sample quiz. */
const VALUES = [
  { agenda: 'Rempli', points: '1', profil: 'Pas à pas', [RESULT]: 'Pas à pas' },
  { agenda: 'Libre', points: '5', profil: 'Grand saut', [RESULT]: 'Grand saut' },
]
const valuesWithout = (choice: number, ...lost: string[]) =>
  Object.fromEntries(Object.entries(VALUES[choice] ?? {}).filter(([key]) => !lost.includes(key)))

type Scene = { creator: ConnectedCreator; quiz: SampleQuiz; provider: ProviderName }
type Scenario = {
  /** Causes the failure before the first response. */
  begin?: (scene: Scene) => void | Promise<void>
  /** Ends the failure. */
  end?: (scene: Scene) => Promise<void>
  /** Fields without their value at the end. */
  lost?: readonly string[]
  only?: ProviderName
}
const killedBeforeItsWrite = async ({ quiz: { id } }: Scene): Promise<void> => {
  await db
    .updateTable('field_mappings')
    .set({ field_key: null })
    .where('quiz_id', '=', id)
    .execute()
  await db
    .updateTable('quiz_integrations')
    .set({ field_key: null, provisioned_at: null })
    .where('quiz_id', '=', id)
    .execute()
  await db
    .updateTable('deliveries')
    .set({ status: 'pending', completed_calls: null, settled_at: null, attempts: 0 })
    .set({ lease_id: id, lease_until: app.now(), next_attempt_at: app.now() })
    .where('quiz_id', '=', id)
    .execute()
}
const SCENARIOS: Record<string, Scenario> = {
  healthy: {},
  slow: {
    begin: ({ provider }) => fakes[provider].fail({ mode: 'slow', delay_ms: 20, times: 1_000 }),
  },
  'down for an hour': {
    begin: ({ provider }) => fakes[provider].fail({ mode: 'before', status: 503, times: 10_000 }),
    end: async ({ provider }) => {
      await advanceClock(HOUR_MS, HOUR_MS / 6)
      fakes[provider].heal()
    },
  },
  'losing its answers': {
    begin: ({ provider }) => fakes[provider].fail({ method: 'POST', mode: 'after', times: 5 }),
  },
  'refusing mapped fields': {
    begin: async ({ creator, quiz, provider }) => {
      await submitParticipant(quiz, 'z@exemple.fr', 0)
      await finishDeliveries()
      for (const name of FIELD_NAMES) deleteField(creator, provider, name.toLowerCase())
      await db
        .updateTable('field_mappings')
        .set({ field_key: null })
        .where('quiz_id', '=', quiz.id)
        .execute()
      refuseFields(provider)
    },
    lost: ['agenda', 'points', 'profil'],
  },
  'with a field of another type': {
    only: 'brevo',
    begin: ({ creator }) => {
      const { attributes } = fakes.brevo.accountOf(creator.account)
      attributes.set('AGENDA', { name: 'AGENDA', category: 'normal', type: 'boolean' })
    },
    lost: ['agenda'],
  },
  'with a deleted field': {
    begin: async ({ creator, quiz, provider }) => {
      await submitParticipant(quiz, 'z@exemple.fr', 0)
      await finishDeliveries()
      deleteField(creator, provider, 'agenda')
    },
    // Brevo reports no missing attribute for new contacts, so that the daily check has to find it.
    end: async ({ quiz }) => {
      await finishDeliveries()
      await advanceClock(24 * HOUR_MS + 1_000)
      await submitParticipant(quiz, 'd@exemple.fr', 1)
    },
  },
  revoked: {
    begin: ({ creator: { connections }, provider }) => {
      const id = connections[provider]
      app.secrets.set(id, `revoked-${app.secrets.get(id)}`)
    },
    end: async ({ creator: { connections }, provider }) => {
      const id = connections[provider]
      app.secrets.set(id, (app.secrets.get(id) ?? '').replace('revoked-', ''))
      await db
        .updateTable('integration_connections')
        .set({ status: 'active', status_reason: null })
        .where('id', '=', id)
        .execute()
    },
  },
}

const assertBalanced = async ({ creator, quiz }: Scene): Promise<void> => {
  const { ledgers } = await creator.client.deliveries.list({ id: quiz.id })
  assert.equal(ledgers.length, 1)
  for (const { balance } of ledgers)
    assert.equal(balance.delivered, balance.nb_participants, JSON.stringify(balance))
  assert.deepEqual(await findDifferences(app.pool), [])
  assert.equal(await reconcile(db), 0)
}

for (const provider of PROVIDERS)
  describe(`mapped fields at ${provider}`, () => {
    for (const [name, { begin, end, lost = [], only = provider }] of pickCases(SCENARIOS, [
      'losing its answers',
      'with a deleted field',
    ]))
      for (const isKilled of only === provider
        ? pickByRun({ daily: [true], all: [false, true] })
        : [])
        test(`every participant is one contact with the last values: the tool is ${name}${isKilled ? ', and a process is killed' : ''}`, async () => {
          const creator = await app.connectCreator()
          const quiz = await app.createForwardingQuiz(creator, [provider])
          const scene = { creator, quiz, provider }
          await mapAll(creator, quiz, provider)
          await begin?.(scene)
          for (const [email, choice] of Object.entries({ a: 0, b: 1, c: 0 }))
            await submitParticipant(quiz, `${email}@exemple.fr`, choice)
          await app.worker.drain()
          await end?.(scene)
          await finishDeliveries(2_000)
          if (isKilled) {
            await killedBeforeItsWrite(scene)
            await finishDeliveries(2_000)
          }
          // The last response of a person decides on their values.
          await submitParticipant(quiz, 'c@exemple.fr', 1)
          await finishDeliveries(2_000)
          const people = valuesByEmail(creator, provider)
          for (const [email, choice] of Object.entries({ a: 0, b: 1, c: 1 }))
            assert.deepEqual(people[`${email}@exemple.fr`], valuesWithout(choice, ...lost), email)
          await assertBalanced(scene)
          const { deliveries } = await creator.client.deliveries.list({ id: quiz.id })
          const names = FIELD_NAMES.filter((field) => lost.includes(field.toLowerCase()))
          for (const field of names)
            assert.match(deliveries[0]?.reason ?? '', new RegExp(`Envoyé sans .*« ${field} »`))
          if (names.length === 0) assert.equal(deliveries[0]?.reason, null)
        })

    test('mapped fields with a known key take no extra call', async () => {
      const creator = await app.connectCreator()
      const quiz = await app.createForwardingQuiz(creator, [provider])
      await mapAll(creator, quiz, provider)
      await submitParticipant(quiz, 'a@exemple.fr', 0)
      await finishDeliveries()
      const before = fakes[provider].journal.length
      await submitParticipant(quiz, 'b@exemple.fr', 1)
      await finishDeliveries()
      assert.equal(fakes[provider].journal.length, before + 1)
      assert.deepEqual(valuesByEmail(creator, provider)['b@exemple.fr'], VALUES[1])
    })

    test('a changed mapping applies to later deliveries, also of earlier participants', async () => {
      const creator = await app.connectCreator()
      const { client } = creator
      const quiz = await app.createForwardingQuiz(creator, [])
      const { id } = quiz
      await submitParticipant(quiz, 'a@exemple.fr', 1)
      await db
        .insertInto('quiz_integrations')
        .values({ quiz_id: id, provider, enabled: true, tag_by_result: false })
        .execute()
      const body = { provider, source: 'result', field_name: 'PROFIL' } as const
      const { mapping } = await client.fieldMappings.add({ id, body })
      await client.deliveries.sendEarlier({ id, body: { provider } })
      await finishDeliveries()
      const profile = (email: string) => valuesByEmail(creator, provider)[email]?.profil
      assert.equal(profile('a@exemple.fr'), 'Grand saut')
      await client.fieldMappings.update({ id, mappingId: mapping.id, body: { source: 'score' } })
      await submitParticipant(quiz, 'b@exemple.fr', 1)
      await finishDeliveries()
      assert.deepEqual([profile('a@exemple.fr'), profile('b@exemple.fr')], ['Grand saut', '5'])
      await client.fieldMappings.remove({ id, mappingId: mapping.id })
      await submitParticipant(quiz, 'c@exemple.fr', 1)
      await finishDeliveries()
      assert.equal(profile('c@exemple.fr'), undefined)
    })
  })

test('a number goes as a number into a field of numbers at Brevo', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['brevo'])
  const { attributes } = fakes.brevo.accountOf(creator.account)
  attributes.set('POINTS', { name: 'POINTS', category: 'normal', type: 'float' })
  attributes.set('PROFIL', { name: 'PROFIL', category: 'normal', type: 'float' })
  await mapAll(creator, quiz, 'brevo')
  await submitParticipant(quiz, 'a@exemple.fr', 1)
  await finishDeliveries()
  const { points, profil } = valuesByEmail(creator, 'brevo')['a@exemple.fr'] ?? {}
  assert.deepEqual([points, profil], [5, undefined])
  const { deliveries } = await creator.client.deliveries.list({ id: quiz.id })
  assert.match(deliveries[0]?.reason ?? '', /^Envoyé sans le champ « PROFIL »/)
})

testInAll(
  'a delivery on its way to Brevo is sent again if a missing field is created meanwhile',
  async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator)
    await mapAll(creator, quiz, 'brevo')
    await submitParticipant(quiz, 'first@exemple.fr', 0)
    await finishDeliveries()
    deleteField(creator, 'brevo', 'agenda')
    await advanceClock(24 * HOUR_MS + 1_000)
    const { participant_uuid } = await submitParticipant(quiz, 'late@exemple.fr', 1)
    const deliveries = db
      .updateTable('deliveries')
      .where('participant_uuid', '=', participant_uuid)
      .where('provider', '=', 'brevo')
    const lease_until = new Date(app.now().getTime() + 60_000)
    await deliveries.set({ lease_id: quiz.id, lease_until, next_attempt_at: lease_until }).execute()
    await submitParticipant(quiz, 'other@exemple.fr', 0)
    await advanceClock(1_000)
    const { lease_id } = await db
      .selectFrom('deliveries')
      .select('lease_id')
      .where('participant_uuid', '=', participant_uuid)
      .where('provider', '=', 'brevo')
      .executeTakeFirstOrThrow()
    assert.ok(lease_id !== null && lease_id !== quiz.id, 'the outcome under way still counts')
    await finishDeliveries()
    const values = valuesByEmail(creator, 'brevo')
    assert.equal(values['late@exemple.fr']?.agenda, 'Libre')
  },
)
