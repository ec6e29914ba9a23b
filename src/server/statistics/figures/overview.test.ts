import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { pino } from 'pino'
import type { QuizOverview } from '#contract/statistics/statistics.ts'
import { NO_CHANGES } from '#domain/editing/changes.ts'
import { createVisits } from '#server/responses/visits.ts'
import { deleteOldVisits } from '#server/statistics/participants/retention.store.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import {
  publishedScoreQuiz,
  publishSample,
  readySondage,
  type SampleQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'
import { readOverview } from './overview.store.ts'

const app = await createTestApp()
const visits = createVisits(app.pool, pino({ level: 'silent' }))
after(async () => {
  await visits.close()
  await app.close()
})

const submit = async ({ id, question_id, answer_ids, open_id }: SampleQuiz, rank = 0) => {
  const answers = { [question_id]: answer_ids[rank] ?? '', [open_id]: 'ada@exemple.fr' }
  return app.client.publicQuiz.submit({ id, body: { answers } })
}
/** Adds visits of a version from one step to another. */
const visit = async (
  { id }: SampleQuiz,
  { version = 1, count = 1, from = 0, to = 1 }: Partial<Record<string, number>>,
): Promise<void> => {
  for (let one = 0; one < count; one++) visits.count({ quiz_id: id, version, from, to })
  await visits.flush()
}
const overviewOf = async ({ client }: Pick<SignedUp, 'client'>): Promise<QuizOverview[]> =>
  (await client.statistics.overview()).quizzes
const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** Checks that the overview of every quiz equals its statistics. */
const agree = async (creator: Pick<SignedUp, 'client'>): Promise<QuizOverview[]> => {
  const quizzes = await overviewOf(creator)
  const { quizzes: listed } = await creator.client.quizzes.list()
  assert.deepEqual(quizzes.map(({ id }) => id).sort(), listed.map(({ id }) => id).sort())
  for (const { id, nb_participants, nb_opened, results, days } of quizzes) {
    const { figures } = await creator.client.statistics.responses({ id, figures: '1' })
    assert.ok(figures)
    const { visits } = figures
    const steps = visits?.map((version) => version.steps.map(({ count }) => count)) ?? []
    assert.deepEqual(
      { nb_participants, nb_opened, results },
      {
        nb_participants: figures.nb_participants,
        nb_opened: sumOf(steps.map((counts) => counts[0] ?? 0)),
        results: figures.results,
      },
    )
    assert.equal(nb_participants, sumOf(steps.map((counts) => counts.at(-1) ?? 0)))
    assert.equal(listed.find((quiz) => quiz.id === id)?.nb_responses, nb_participants)
    assert.equal(sumOf(days), sumOf(figures.days.map(({ count }) => count)))
  }
  return quizzes
}

test('the figures of each quiz equal its statistics, also after removals', async () => {
  const creator = await app.signUp()
  const { client } = creator
  assert.deepEqual(await overviewOf(creator), [])
  await client.quizzes.create({ body: { name: 'Brouillon', type: 'quiz' } })
  const sondage = await publishSample(client, readySondage(client))
  const quiz = await publishedScoreQuiz(client)
  await visit(quiz, { count: 5, to: 1 })
  await visit(quiz, { count: 2, from: 1, to: 3 })
  const { participant_uuid } = await submit(quiz)
  await submit(quiz, 1)
  await visit(sondage, { count: 3 })
  await submit(sondage)
  await agree(creator)

  // A second version with a renamed first result, and a visit whose first step was not reported.
  const [first = ''] = quiz.result_ids
  await client.results.update({ resultId: first, body: { name: 'Doucement' } })
  await client.quizzes.publish({ id: quiz.id })
  await submit(quiz)
  await visit(quiz, { version: 2, count: 4, from: 1, to: 2 })
  const before = (await agree(creator)).find(({ id }) => id === quiz.id)
  assert.deepEqual(
    before?.results.map(({ result_name, count }) => [result_name, count]),
    [
      ['Doucement', 1],
      ['Grand saut', 1],
      ['Pas à pas', 1],
    ],
  )
  assert.deepEqual([before.nb_participants, before.nb_opened], [3, 9])

  await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
  const left = (await agree(creator)).find(({ id }) => id === quiz.id)
  assert.deepEqual([left?.nb_participants, left?.nb_opened], [2, 8])

  await client.participants.removePerson({ body: { email: 'ada@exemple.fr' } })
  assert.ok((await agree(creator)).every(({ nb_participants }) => nb_participants === 0))
})

test('deleted visits are not counted in the overview', async () => {
  const creator = await app.signUp()
  const quiz = await publishedScoreQuiz(creator.client)
  await visit(quiz, { count: 3 })
  await app.pool.query(
    `update visit_counts set quarter = quarter - interval '800 days' where quiz_id = $1`,
    [quiz.id],
  )
  await visit(quiz, { count: 2, to: 2 })
  assert.deepEqual(
    (await agree(creator)).map(({ nb_opened }) => nb_opened),
    [5],
  )
  await app.pool.query(
    `insert into retention (quiz_id, months, before, due_at)
    values ($1, 12, now() - interval '12 months', now() - interval '1 day')`,
    [quiz.id],
  )
  await deleteOldVisits(app.db)
  assert.deepEqual(
    (await agree(creator)).map(({ nb_opened }) => nb_opened),
    [2],
  )
  await creator.client.quizzes.remove({ id: quiz.id, permanently: '1' })
  const { rows } = await app.pool.query('select from visit_step_counts where quiz_id = $1', [
    quiz.id,
  ])
  assert.equal(rows.length, 0)
})

test('the chart of the overview has thirty days of Paris time up to today, and the totals include older participants', async () => {
  const creator = await app.signUp()
  const quiz = await publishedScoreQuiz(creator.client)
  const days: [day: string, version: number, count: number][] = [
    ['2026-06-30', 1, 9],
    ['2026-07-01', 1, 2],
    ['2026-07-29', 1, 3],
    ['2026-07-29', 2, 4],
    ['2026-07-30', 2, 5],
    ['2026-07-31', 2, 6],
  ]
  for (const [day, version, count] of days)
    await app.db
      .insertInto('quarter_counts')
      .values({ quiz_id: quiz.id, version, quarter: `${day}T12:15:00Z`, count })
      .execute()
  const daysAt = async (time: string) => {
    const [only] = await readOverview(app.db, creator.user_id, new Date(time))
    return only?.days
  }
  const nothing = Array.from({ length: 27 }, () => 0)
  assert.deepEqual(await daysAt('2026-07-30T21:59:00Z'), [2, ...nothing, 7, 5])
  // The time is already on the next day in Paris.
  assert.deepEqual(await daysAt('2026-07-30T22:01:00Z'), [...nothing, 7, 5, 6])
})

test('the overview names the published quizzes with unpublished changes', async () => {
  const { client } = await app.signUp()
  await client.quizzes.create({ body: { name: 'Brouillon', type: 'quiz' } })
  const { id, question_id } = await publishedScoreQuiz(client)
  const untouched = await publishedScoreQuiz(client)
  const listChanged = async () =>
    (await overviewOf({ client }))
      .filter((quiz) => quiz.has_unpublished_changes)
      .map((quiz) => quiz.id)
  const setText = (text: string) => client.questions.update({ id: question_id, body: { text } })
  const { questions } = await client.questions.unified({ id })
  assert.deepEqual(await listChanged(), [])
  // Fields that apply at once are no change of the public page.
  const opening = {
    slug: `rythme-${untouched.id.slice(-8)}`,
    closes_at: '2900-12-15T17:00:00.000Z',
  }
  const { revision } = await client.drafts.get({ id: untouched.id })
  const quiz = { ...opening, max_responses: 9, closed_text: 'Merci !', consent_text: 'Oui' }
  await client.drafts.save({ id: untouched.id, body: { ...NO_CHANGES, based_on: revision, quiz } })
  await setText('Autrement ?')
  assert.deepEqual(await listChanged(), [id])
  await setText(questions[0]?.text ?? '')
  assert.deepEqual(await listChanged(), [])
  await setText('Autrement ?')
  await client.quizzes.publish({ id })
  assert.deepEqual(await listChanged(), [])
  await setText('Encore ?')
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  assert.deepEqual(await listChanged(), [])
})

test('the overview never counts quizzes of other creators', async () => {
  const [me, other] = [await app.signUp(), await app.signUp()]
  const mine = await publishedScoreQuiz(me.client)
  const theirs = await publishedScoreQuiz(other.client)
  for (const quiz of [theirs, theirs, mine]) await submit(quiz)
  await visit(theirs, { count: 7 })
  for (const [quiz, count] of [
    [mine, 2],
    [theirs, 30],
  ] as const)
    await app.pool.query(
      `insert into delivery_counts (quiz_id, connection_id, provider, status, count) values
        ($1, $3, 'brevo', 'delivered', $2), ($1, $4, 'systemio', 'delivered', 1),
        ($1, $3, 'brevo', 'refused', 100), ($1, $5, 'webhook', 'delivered', 50)`,
      [quiz.id, count, randomUUID(), randomUUID(), randomUUID()],
    )
  const figures = (quizzes: QuizOverview[]) =>
    quizzes.map(({ id, nb_participants, nb_opened, nb_delivered, days }) => ({
      id,
      nb_participants,
      nb_opened,
      nb_delivered,
      today: days.at(-1),
    }))
  assert.deepEqual(figures(await overviewOf(me)), [
    { id: mine.id, nb_participants: 1, nb_opened: 1, nb_delivered: 3, today: 1 },
  ])
  assert.deepEqual(figures(await overviewOf(other)), [
    { id: theirs.id, nb_participants: 2, nb_opened: 7, nb_delivered: 31, today: 2 },
  ])
})
