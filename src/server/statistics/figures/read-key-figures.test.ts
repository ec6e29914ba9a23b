import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Client } from '#contract/client/client.ts'
import { DEFAULT_TIME_ZONE, localDay } from '#domain/common/time-zone.ts'
import { recountQuarters } from '#server/testing/app/recount-quarters.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

type Arrival = {
  email: string
  at: string
  choice?: 0 | 1
  seconds?: number | null
  consent?: number
}
/** Adds a participant at this time; `consent` is the ticked wording, 0 for none. */
const arrive = async (
  { id, ...quiz }: SampleQuiz,
  { email, at, choice = 0, ...arrival }: Arrival,
) => {
  const answers = { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: email }
  const { participant_uuid } = await app.client.publicQuiz.submit({ id, body: { answers } })
  const [elapsed_seconds, consent_version] = [arrival.seconds ?? null, arrival.consent ?? null]
  await app.db
    .updateTable('responses')
    .set({ created_at: at, elapsed_seconds, consent_version })
    .where('participant_uuid', '=', participant_uuid)
    .execute()
  await recountQuarters(app.pool, id)
  return participant_uuid
}
type Filters = Omit<Parameters<Client['statistics']['keyFigures']>[0], 'id'>
const read = ({ id }: SampleQuiz, filters: Filters = {}) =>
  client.statistics.keyFigures({ id, ...filters })

test('a period is compared with the preceding period of equal length', async () => {
  const quiz = await publishedScoreQuiz(client)
  await arrive(quiz, { email: 'ada@exemple.fr', at: '2026-03-07T12:00:00Z', seconds: 10 })
  // The time is already on 9 March in Paris.
  await arrive(quiz, { email: 'ada@exemple.fr', at: '2026-03-08T23:30:00Z', seconds: 20 })
  await arrive(quiz, {
    email: 'ADA@exemple.fr',
    at: '2026-03-10T08:00:00Z',
    seconds: 40,
    choice: 1,
  })
  await arrive(quiz, { email: 'zoe@exemple.fr', at: '2026-03-10T09:00:00Z', consent: 1 })
  await arrive(quiz, { email: 'eve@exemple.fr', at: '2026-03-10T10:00:00Z', consent: 0 })
  const period = { from: '2026-03-09', to: '2026-03-10' }
  const figures = await read(quiz, period)
  assert.deepEqual(figures, {
    time_zone: 'Europe/Paris',
    now: {
      nb_opened: 4,
      nb_participants: 4,
      nb_addresses: 2,
      median_seconds: 30,
      is_more: false,
      nb_delivered: 0,
      days: [
        { day: '2026-03-09', count: 1 },
        { day: '2026-03-10', count: 3 },
      ],
    },
    before: {
      nb_opened: 1,
      nb_participants: 1,
      nb_addresses: 1,
      median_seconds: 10,
      is_more: false,
      nb_delivered: 0,
      days: [
        { day: '2026-03-07', count: 1 },
        { day: '2026-03-08', count: 0 },
      ],
    },
    compared: figures.now,
    period,
    period_compared: period,
    period_before: { from: '2026-03-07', to: '2026-03-08' },
  })
  const chosen = await read(quiz, { ...period, answer: quiz.answer_ids[1] })
  assert.deepEqual(
    [chosen.now.nb_opened, chosen.now.nb_participants, chosen.before],
    [null, 1, null],
  )
  const all = await read(quiz)
  assert.deepEqual([all.now.nb_participants, all.now.nb_addresses], [5, 2])
  assert.deepEqual([all.compared, all.before, all.period], [null, null, null])
  assert.deepEqual([all.period_compared, all.period_before], [null, null])
  assert.equal(all.now.days.length, 4)
})

/** Returns the day in Paris that is a number of days before today. */
const daysAgo = (days: number): string => {
  const today = Date.parse(localDay(new Date(), DEFAULT_TIME_ZONE))
  return new Date(today - days * 86_400_000).toISOString().slice(0, 10)
}

test('a comparison of periods leaves out today, because today is not over', async () => {
  const quiz = await publishedScoreQuiz(client)
  const came = [5, 4, 3, 3, 2, 1, 0]
  for (const [rank, days] of came.entries())
    await arrive(quiz, { email: `p${rank}@exemple.fr`, at: `${daysAgo(days)}T10:00:00Z` })
  for (const filters of [{}, { answer: quiz.answer_ids[0] }]) {
    const { now, compared, before, ...periods } = await read(quiz, {
      ...filters,
      from: daysAgo(2),
    })
    assert.deepEqual(
      [now, compared, before].map((period) => [period?.nb_participants, period?.nb_addresses]),
      [
        [3, 3],
        [2, 2],
        [2, 2],
      ],
    )
    assert.deepEqual(periods, {
      time_zone: 'Europe/Paris',
      period: { from: daysAgo(2), to: daysAgo(0) },
      period_compared: { from: daysAgo(2), to: daysAgo(1) },
      period_before: { from: daysAgo(5), to: daysAgo(4) },
    })
    const { now: today, ...nothing } = await read(quiz, { ...filters, from: daysAgo(0) })
    assert.equal(today.nb_participants, 1)
    assert.deepEqual([nothing.compared, nothing.before, nothing.period_before], [null, null, null])
  }
})

describe('an empty or invalid period', () => {
  test('a period in the future has zeros and no comparison', async () => {
    const quiz = await publishedScoreQuiz(client)
    await arrive(quiz, { email: 'ada@exemple.fr', at: '2026-03-07T12:00:00Z' })
    const { now, before } = await read(quiz, { from: '2099-01-01', to: '2099-01-02' })
    assert.deepEqual(now, {
      nb_opened: 0,
      nb_participants: 0,
      nb_addresses: 0,
      median_seconds: null,
      is_more: false,
      nb_delivered: 0,
      days: [
        { day: '2099-01-01', count: 0 },
        { day: '2099-01-02', count: 0 },
      ],
    })
    assert.equal(before, null)
  })

  test('a period with reversed dates, or of a foreign quiz, is refused', async () => {
    const quiz = await publishedScoreQuiz(client)
    await refuses(read(quiz, { from: '2026-03-10', to: '2026-03-09' }), 422, 'invalid')
    const { client: other } = await app.signUp()
    await refuses(other.statistics.keyFigures({ id: quiz.id }), 404, 'not_found')
  })
})
