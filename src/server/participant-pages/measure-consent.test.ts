import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { DEFAULT_MEASURE_TEXT } from '#domain/questionnaire/consent/consent.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createBuiltFolders } from '#server/testing/app/built-app.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { createOwnPages, RUN_SECRET, wordsOf } from '#server/testing/app/own-pages.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createToolFields } from '#server/testing/quizzes/tool-fields.ts'

const built = createBuiltFolders()
const app = await createOutboxApp({}, { folders: built.folders })
after(async () => {
  await app.close()
  built.remove()
})
const { db } = app
const { open, post } = createOwnPages(app)
const { valuesOf } = createToolFields(app)
const EMAIL = 'lea@exemple.fr'

/** Waits until visitors see the second box, because a process learns of a change after the commit. */
const boxOf = async ({ id }: SampleQuiz, version = 1) => {
  for (;;) {
    const { snapshot } = await app.client.publicQuiz.snapshot({ id })
    const { measure } = snapshot.questions.find(({ type }) => type === 'email') ?? {}
    if (measure?.version === version) return measure
  }
}
/** Publishes a quiz that asks for the second consent and sends the answer to a field of every tool. */
const createScene = async ({ source = 'measure' as const } = {}) => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator)
  const { id } = quiz
  await creator.client.quizzes.update({ id, body: { keeps_page: true, measure_consent: true } })
  for (const provider of PROVIDERS)
    await creator.client.fieldMappings.add({ id, body: { provider, source, field_name: 'SUIVI' } })
  await boxOf(quiz)
  return { creator, quiz }
}
const submit = async (quiz: SampleQuiz, measure_version?: number) => {
  const { participant_uuid, documents } = await app.client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: EMAIL },
      run_secret: RUN_SECRET,
      measure_version,
    },
  })
  return { participant_uuid, path: documents?.own_page ?? '' }
}
type Scene = Awaited<ReturnType<typeof createScene>>
const sentValues = ({ creator }: Pick<Scene, 'creator'>) =>
  PROVIDERS.map((provider) => valuesOf(creator, provider, EMAIL).suivi)
const storedOf = ({ quiz }: Pick<Scene, 'quiz'>) =>
  db
    .selectFrom('responses')
    .select(['measure_version', 'withdrawn_measure_version', 'measure_withdrawn_at'])
    .where('quiz_id', '=', quiz.id)
    .executeTakeFirstOrThrow()

describe('the second consent', () => {
  test('its box has wordings numbered apart from those of the first consent', async () => {
    const { creator, quiz } = await createScene()
    assert.deepEqual(await boxOf(quiz), { version: 1, text: DEFAULT_MEASURE_TEXT })
    const { id } = quiz
    await creator.client.quizzes.update({
      id,
      body: { measure_text: 'Mesurez', consent_mode: 'box' },
    })
    assert.deepEqual(await boxOf(quiz, 2), { version: 2, text: 'Mesurez' })
    const { snapshot } = await app.client.publicQuiz.snapshot({ id })
    assert.equal(snapshot.questions.find(({ consent }) => consent)?.consent?.version, 1)
  })

  for (const [given, stored, sent] of [
    [1, 1, 'oui'],
    [0, 0, 'non'],
    [7, 0, 'non'],
    [undefined, null, undefined],
  ] as const)
    test(`the accepted wording ${given} is stored as ${stored}, and tools get ${sent}`, async () => {
      const scene = await createScene()
      await submit(scene.quiz, given)
      await app.finishDeliveries()
      assert.equal((await storedOf(scene)).measure_version, stored)
      assert.deepEqual(
        sentValues(scene),
        PROVIDERS.map(() => sent),
      )
    })
})

describe('« Retirer mon accord pour la mesure »', () => {
  test('keeps the proof, sends « non » to every tool, and gives no label again', async () => {
    const scene = await createScene()
    const { creator, quiz } = scene
    const { path, participant_uuid } = await submit(quiz, 1)
    await app.finishDeliveries()
    assert.deepEqual(
      sentValues(scene),
      PROVIDERS.map(() => 'oui'),
    )
    assert.match(wordsOf(await open(path)), /Retirer mon accord pour la mesure/)
    const labelsBefore = await db
      .selectFrom('deliveries')
      .select(['provider', 'completed_calls'])
      .where('quiz_id', '=', quiz.id)
      .orderBy('provider')
      .execute()

    assert.equal((await post(path, 'mesure')).statusCode, 303)
    assert.equal((await post(path, 'mesure')).statusCode, 303)
    const words = wordsOf(await open(path))
    assert.match(words, /Accord pour la mesure retiré le \d+/)
    assert.doesNotMatch(words, /Retirer mon accord pour la mesure/)
    assert.match(words, /Retirer mon accord/)
    const stored = await storedOf(scene)
    assert.deepEqual([stored.measure_version, stored.withdrawn_measure_version], [0, 1])

    await app.finishDeliveries()
    assert.deepEqual(
      sentValues(scene),
      PROVIDERS.map(() => 'non'),
    )
    const labels = await db
      .selectFrom('deliveries')
      .select(['provider', 'completed_calls'])
      .where('quiz_id', '=', quiz.id)
      .orderBy('provider')
      .execute()
    assert.deepEqual(
      labels.map(({ completed_calls }) => completed_calls?.labels),
      labelsBefore.map(({ completed_calls }) => completed_calls?.labels),
    )

    const at = { id: quiz.id, participantId: participant_uuid }
    const { participant } = await creator.client.participants.explain(at)
    assert.equal(participant.measure_consent?.is_given, false)
    assert.equal(participant.measure_consent?.wording?.text, DEFAULT_MEASURE_TEXT)
    assert.ok(participant.measure_consent?.withdrawn_at)
    assert.equal(participant.consent, null)
    const { accord_pour_la_mesure } = (await post(path, 'donnees', { email: EMAIL })).json()
    assert.deepEqual(
      [accord_pour_la_mesure.état, accord_pour_la_mesure.texte],
      ['retiré', DEFAULT_MEASURE_TEXT],
    )
    const { page_actions } = await creator.client.erasures.list({ id: quiz.id })
    assert.deepEqual(
      page_actions.map(({ kind }) => kind),
      ['measure_withdrawn'],
    )
    const events = await listAuditEventNames(app, quiz.id)
    assert.ok(events.includes('consent_withdrawn measure by_participant'), `${events}`)
    assert.deepEqual(await findDifferences(app.pool), [])
  })

  test('reaches a delivery that waits, before its first attempt', async () => {
    const scene = await createScene()
    const { path } = await submit(scene.quiz, 1)
    await post(path, 'mesure')
    await app.finishDeliveries()
    assert.deepEqual(
      sentValues(scene),
      PROVIDERS.map(() => 'non'),
    )
  })

  test('waits for the end of an attempt in progress, and sends « non » after it', async () => {
    const scene = await createScene()
    const { path } = await submit(scene.quiz, 1)
    const lease_until = new Date(app.now().getTime() + 60_000)
    await db
      .updateTable('deliveries')
      .set({ lease_id: scene.quiz.id, lease_until, next_attempt_at: lease_until })
      .where('quiz_id', '=', scene.quiz.id)
      .execute()
    await post(path, 'mesure')
    const rows = await db
      .selectFrom('deliveries')
      .select(['lease_id', 'next_attempt_at'])
      .where('quiz_id', '=', scene.quiz.id)
      .execute()
    for (const row of rows) {
      assert.equal(row.lease_id, null)
      assert.equal(Date.parse(row.next_attempt_at ?? ''), lease_until.getTime())
    }
    await app.advanceClock(120_000, 30_000)
    await app.finishDeliveries()
    assert.deepEqual(
      sentValues(scene),
      PROVIDERS.map(() => 'non'),
    )
  })

  test('sends nothing after a withdrawal of the consent to forwarding, and nothing to a tool that is off', async () => {
    const scene = await createScene()
    const { path } = await submit(scene.quiz, 1)
    await app.finishDeliveries()
    await post(path, 'accord')
    await post(path, 'mesure')
    await app.finishDeliveries()
    assert.deepEqual(
      sentValues(scene),
      PROVIDERS.map(() => 'oui'),
    )

    const other = await createScene()
    const run = await submit(other.quiz, 1)
    await app.finishDeliveries()
    await other.creator.client.integrations.setBrevo({
      id: other.quiz.id,
      body: { enabled: false },
    })
    await post(run.path, 'mesure')
    await app.finishDeliveries()
    assert.equal(valuesOf(other.creator, 'brevo', EMAIL).suivi, 'oui')
    assert.equal(valuesOf(other.creator, 'convertkit', EMAIL).suivi, 'non')
  })

  test('is not offered without an accepted box', async () => {
    const scene = await createScene()
    const { path } = await submit(scene.quiz, 0)
    assert.doesNotMatch(wordsOf(await open(path)), /pour la mesure/)
    await post(path, 'mesure')
    assert.equal((await storedOf(scene)).measure_withdrawn_at, null)
  })
})
