import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { RefusedCall } from '#contract/client/client.ts'
import type { RightAnswerFigures } from '#domain/statistics/right-answers.ts'
import { recountQuarters } from '#server/testing/app/recount-quarters.ts'
import { runUnlimited } from '#server/testing/app/run-unlimited.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishCorrectedQuiz } from '#server/testing/quizzes/corrected-quiz.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { findDifferences } from './counters/verify-counters.store.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

type Filters = { answer?: string; email?: string; from?: string; to?: string }
let quiz: Awaited<ReturnType<typeof publishCorrectedQuiz>>
let first: string[]

const OTHER = 'other:Un lac'
/** Submits every combination of replies to the version, and returns the participants. */
const submitAll = async (version: number): Promise<string[]> => {
  const { id, capital, paris, lyon, nice, rivers, seine, rhone, alps, last, yes, no } = quiz
  const sets = [
    [seine],
    [seine, rhone],
    [rhone, seine],
    [seine, rhone, alps],
    [seine, rhone, OTHER],
  ]
  const taken: string[] = []
  for (const town of [paris, lyon, nice])
    for (const set of town === nice ? [[]] : [...sets, [alps], [OTHER], [seine, alps]])
      for (const end of [yes, no, '']) {
        const answers = {
          [capital]: town,
          ...(set.length > 0 && { [rivers]: set }),
          ...(end !== '' && { [last]: end }),
        }
        const email = `${town === paris ? 'juste' : 'faux'}-${taken.length}@exemple.fr`
        const body = { answers, version, email }
        taken.push((await app.client.publicQuiz.submit({ id, body })).participant_uuid)
      }
  return taken
}

/** Publishes a version whose rivers are the Seine and the Alps, whose last answer is « Non », and whose capital has none. */
const publishOtherAnswers = async (): Promise<void> => {
  const { id, capital, paris, rivers, rhone, alps, last, yes, no } = quiz
  const { revision } = await client.drafts.get({ id })
  const answers = [
    { id: paris, question_id: capital, is_correct: false },
    { id: rhone, question_id: rivers, is_correct: false },
    { id: alps, question_id: rivers, is_correct: true },
    { id: yes, question_id: last, is_correct: false },
    { id: no, question_id: last, is_correct: true },
  ]
  await client.drafts.save({ id, body: { based_on: revision, answers } })
  await client.quizzes.publish({ id })
}

const RECOUNT = `
with corrected as (
  select version, (question ->> 'position')::integer as question_position, question ->> 'id' as question_id,
    question ->> 'text' as question_text, (
    select array_agg((rank - 1)::smallint order by rank)
    from jsonb_array_elements(question -> 'answers') with ordinality as answer(answer, rank)
    where (answer ->> 'is_correct')::boolean
  ) as right_ranks
  from quiz_versions cross join lateral jsonb_array_elements(snapshot -> 'questions') as question
  where quiz_id = $1
), given as (
  select participant_uuid, version, question_position::integer, array_agg(number order by number) as numbers
  from responses cross join lateral unnest(choices) with ordinality as choice(number, rank)
  join version_questions using (quiz_id, version, rank)
  where quiz_id = $1 and participant_uuid = any($2) and is_choice and number is not null group by 1, 2, 3
)
select question_id, max(question_text) as question_text, count(*) as nb_asked,
  count(*) filter (where numbers[1] >= 0) as nb_answered, count(*) filter (where numbers = right_ranks) as nb_right
from given join corrected using (version, question_position)
where right_ranks is not null and numbers[1] <> -2
group by 1`

/** Asserts that the figures of a selection equal a recount of its participants, and returns them. */
const check = async (filters: Filters = {}): Promise<readonly RightAnswerFigures[]> => {
  const { figures, details } = await client.statistics.responses({
    id: quiz.id,
    figures: '1',
    limit: 500,
    ...filters,
  })
  const selected = details.map(({ participant_uuid }) => participant_uuid)
  const { rows } = await app.pool.query(RECOUNT, [quiz.id, selected])
  const shown = figures?.right_answers ?? []
  assert.deepEqual(new Set(shown), new Set(rows))
  const shares = shown.map(({ nb_right, nb_asked }) => nb_right / nb_asked)
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  )
  return shown
}

/** Factor that makes more participants than are counted within a call. */
const TIMES = 400
/** Stores each participant `TIMES` times, and counts them. */
const multiply = async (): Promise<void> => {
  await runUnlimited(
    app.pool,
    // Without `materialized` some plans read the inserted rows again for each copy.
    `with originals as materialized (select * from responses where quiz_id = $1)
    insert into responses (quiz_id, participant_uuid, version, result_position, score, choices, texts, created_at)
    select quiz_id, gen_random_uuid(), version, result_position, score, choices, texts, created_at
    from originals cross join generate_series(2, ${TIMES})`,
    [quiz.id],
  )
  for (const table of ['choice_counts', 'text_counts', 'result_counts', 'score_counts'])
    await app.pool.query(`update ${table} set count = count * ${TIMES} where quiz_id = $1`, [
      quiz.id,
    ])
  const count = `update quiz_versions set nb_responses = nb_responses * ${TIMES} where quiz_id = $1`
  await app.pool.query(count, [quiz.id])
  await recountQuarters(app.pool, quiz.id)
  await app.pool.query('analyze responses')
  assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
}
/** Reads the figures until they are exact, because a busy machine may be too slow for the first calls. */
const waitForCount = async (tries = 10): ReturnType<typeof client.statistics.responses> => {
  try {
    return await client.statistics.responses({ id: quiz.id, figures: '1', limit: 1 })
  } catch (error) {
    if (!(error instanceof RefusedCall) || error.code !== 'too_slow' || tries === 0) throw error
    return waitForCount(tries - 1)
  }
}
const nbRight = (figures: readonly RightAnswerFigures[]) =>
  Object.fromEntries(
    figures.map((figure) => [figure.question_id, [figure.nb_right, figure.nb_asked]]),
  )

describe('shares of right answers', () => {
  before(async () => {
    quiz = await publishCorrectedQuiz(client, 'never')
    first = await submitAll(1)
  })

  test('exactly the right answers count, « Autre » and blank replies do not, and skipped questions are not asked', async () => {
    const { capital, rivers, last } = quiz
    assert.deepEqual(nbRight(await check()), {
      [rivers]: [2 * 2 * 3, 2 * 8 * 3],
      [last]: [17, 17 * 3],
      [capital]: [8 * 3, 17 * 3],
    })
  })

  test('each version counts by its own right answers, and filters and deletions apply', async () => {
    const { id, capital, paris, rivers, seine, last } = quiz
    await publishOtherAnswers()
    await submitAll(2)
    const all = await check()
    assert.deepEqual(nbRight(all), {
      [rivers]: [2 * 2 * 3 + 2 * 3, 4 * 8 * 3],
      [last]: [2 * 17, 2 * 17 * 3],
      [capital]: [8 * 3, 17 * 3],
    })
    for (const filters of [{ answer: paris }, { answer: seine }, { email: 'faux' }])
      assert.notDeepEqual(await check(filters), all)
    assert.deepEqual(await check({ from: '2100-01-01' }), [])
    await client.participants.remove({ id, participantId: first[4] ?? '' })
    assert.notDeepEqual(await check(), all)
    assert.deepEqual(await findDifferences(app.pool, id), [])
  })

  test('a shared link shows the figures of the screen', async () => {
    const { link } = await client.statisticsLinks.create({ id: quiz.id })
    const { shared } = await app.client.sharedStatistics.get({ token: link.token })
    assert.deepEqual(shared?.figures.right_answers, await check())
  })

  test('a version that is a sondage has no right answers', async () => {
    const { id } = quiz
    const before = await check()
    const { revision } = await client.drafts.get({ id })
    await client.drafts.save({ id, body: { based_on: revision, quiz: { type: 'sondage' } } })
    await client.quizzes.publish({ id })
    await submitAll(3)
    const { figures } = await client.statistics.responses({ id, figures: '1' })
    assert.equal(figures?.nb_participants, 3 * 51 - 1)
    assert.deepEqual(figures?.right_answers, before)
  })

  testInAll(
    'several right answers of many participants are counted in the background, also for a shared link',
    async () => {
      const { id } = quiz
      const { figures } = await client.statistics.responses({ id, figures: '1' })
      const expected = figures?.right_answers.map((answer) => ({
        ...answer,
        nb_asked: answer.nb_asked * TIMES,
        nb_answered: answer.nb_answered * TIMES,
        nb_right: answer.nb_right * TIMES,
      }))
      await multiply()
      const { link } = await client.statisticsLinks.create({ id })
      const openShared = () => app.client.sharedStatistics.get({ token: link.token })
      await refuses(openShared(), 503, 'unavailable')
      assert.deepEqual((await client.statistics.responses({ id, limit: 1 })).as_of, undefined)
      const counted = await waitForCount()
      assert.deepEqual(counted.figures?.right_answers, expected)
      const { shared, nb_participants } = await openShared()
      assert.deepEqual(shared?.figures.right_answers, expected)
      assert.equal(nb_participants, counted.figures?.nb_participants)
    },
  )
})
