import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { runUnlimited } from '#server/testing/app/run-unlimited.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishSample, readyProfilsQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { MAX_READ_PARTICIPANTS } from './each-participant.ts'

// Runs in test:all, because it recounts random replays.

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

/** Stores participants of version 1 with random answers, without the submission call. */
const fill = (quiz_id: string, { count, answers }: { count: number; answers: number }) => {
  const { sql: text, parameters } = sql`
    with first_version as (
      select quiz_id, version, choice_questions, nb_responses from quiz_versions
      where quiz_id = ${quiz_id} and version = 1
    ), new_responses as (
      insert into responses (quiz_id, participant_uuid, version, created_at, result_position, choices, texts)
      select quiz_id, gen_random_uuid(), version, now() - rank * interval '1 second', rank % 2,
        array(
          select floor(random() * ${answers}::integer + 0 * rank)::smallint
          from generate_subscripts(choice_questions, 1)
        ),
        '{}'
      from first_version, generate_series(1, ${count}::integer) as rank
      returning quiz_id
    )
    update quiz_versions set nb_responses = nb_responses + ${count}
    where quiz_id = ${quiz_id} and version = 1 and exists (select from new_responses)
  `.compile(app.db)
  return runUnlimited(app.pool, text, parameters)
}

type Drawn = { scores: number[][]; links: (number | null)[][]; bounds: number[] }

const ANSWERS = 3
const RESULTS = 3
const drawn: fc.Arbitrary<Drawn> = fc.record({
  scores: fc.array(fc.array(fc.nat(6), { minLength: ANSWERS, maxLength: ANSWERS }), {
    minLength: 3,
    maxLength: 3,
  }),
  links: fc.array(
    fc.array(fc.option(fc.nat(RESULTS - 1)), { minLength: ANSWERS, maxLength: ANSWERS }),
    { minLength: 3, maxLength: 3 },
  ),
  bounds: fc.array(fc.nat(8), { minLength: RESULTS, maxLength: RESULTS }),
})

/** Publishes a quiz of three choices. The draft has other scores or associations and one answer less. */
const scoredOtherwise = async (by: 'score' | 'profils', { scores, links, bounds }: Drawn) => {
  const { quiz } = await client.quizzes.create({ body: { name: by, type: 'quiz' } })
  const { id } = quiz
  const results = ['A', 'B', 'C'].map((name) => ({ id: randomUUID(), name }))
  await client.results.saveAll({ id, body: { results } })
  const questions = scores.map((_, rank) => ({
    id: randomUUID(),
    text: `Question ${rank}`,
    type: 'multiple_choice' as const,
    answers: Array.from({ length: ANSWERS }, (__, place) => ({
      id: randomUUID(),
      text: `Réponse ${place}`,
      ...(by === 'score'
        ? { score: place }
        : { associations: [{ result_id: results[place]?.id ?? '', is_checked: true }] }),
    })),
  }))
  const tiers = results.map(({ id: result_id }, rank): [string, object] => [
    result_id,
    { min_score: rank * 3, max_score: rank * 3 + 2 },
  ])
  const score_thresholds = by === 'score' ? Object.fromEntries(tiers) : {}
  await client.questions.saveDraft({ id, body: { questions, score_thresholds } })
  await client.quizzes.publish({ id })
  await fill(id, { count: 200, answers: ANSWERS })
  const otherwise = questions.map((question, rank) => ({
    ...question,
    answers: question.answers.slice(rank === 0 ? 1 : 0).map((answer, place) => {
      const result_id = results[links[rank]?.[place] ?? -1]?.id
      if (by === 'score') return { ...answer, score: scores[rank]?.[place] ?? 0 }
      return {
        ...answer,
        associations: result_id ? [{ result_id, weight: place, is_checked: true }] : [],
      }
    }),
  }))
  const moved = results.map(({ id: result_id }, rank): [string, object] => [
    result_id,
    { min_score: bounds[rank] ?? 0, max_score: (bounds[rank] ?? 0) + 3 },
  ])
  await client.questions.saveDraft({
    id,
    body: {
      questions: otherwise,
      score_thresholds: by === 'score' ? Object.fromEntries(moved) : {},
    },
  })
  return id
}

/** Counts the changed results in SQL from the stored ranks and the rows of the draft. */
const recount = async (quiz_id: string, by: 'score' | 'profils') => {
  const { rows } = await sql<{ from: string; to: string; count: number }>`
    with chosen as (
      select participant_uuid,
        (snapshot -> 'results' -> result_position::integer ->> 'id')::uuid as before,
        (snapshot -> 'questions' -> place::integer -> 'answers' -> rank::integer ->> 'id')::uuid as answer_id
      from responses join quiz_versions using (quiz_id, version)
      cross join lateral unnest(choices, choice_questions) as reply(rank, place)
      where quiz_id = ${quiz_id}
    ), scores as (
      select participant_uuid, coalesce(sum(score), 0) as total
      from chosen left join answers on answers.id = answer_id group by 1
    ), weights as (
      select participant_uuid, result_id, sum(weight) as total
      from chosen join associations using (answer_id) where is_checked group by 1, 2
    ), outcomes as (
      select distinct participant_uuid, before, coalesce(
        case when ${by} = 'score' then (
          select results.id from results, scores
          where results.quiz_id = ${quiz_id} and scores.participant_uuid = chosen.participant_uuid
            and total between min_score and max_score
          order by priority_order limit 1
        ) else (
          select results.id from results join weights on result_id = results.id
          where weights.participant_uuid = chosen.participant_uuid
          order by total desc, priority_order limit 1
        ) end,
        (select id from results where quiz_id = ${quiz_id} order by priority_order limit 1)
      ) as after
      from chosen
    )
    select before as "from", after as "to", count(*)::integer as count
    from outcomes where before <> after group by 1, 2
  `.execute(app.db)
  return rows
}

const inOrder = <Move extends { from: unknown; to: unknown }>(moves: Move[]): Move[] =>
  moves.sort((a, b) => `${a.from} ${a.to}`.localeCompare(`${b.from} ${b.to}`))

for (const by of ['score', 'profils'] as const)
  test(`by ${by}, a replay equals a recount in SQL for random replies`, () =>
    fc.assert(
      fc.asyncProperty(drawn, async (draw) => {
        const id = await scoredOtherwise(by, draw)
        const { results, nb_replayed } = await client.replay.get({ id })
        assert.equal(nb_replayed, 200)
        const moves = (results?.moves ?? []).map(({ from, to, count }) => ({
          from: from?.id ?? '',
          to: to?.id ?? '',
          count,
        }))
        const counted = await recount(id, by)
        assert.deepEqual(inOrder(moves), inOrder(counted))
        assert.equal(
          results?.nb_changed,
          counted.reduce((sum, { count }) => sum + count, 0),
        )
      }),
      { numRuns: 4, endOnFailure: true },
    ))

test('if there are too many participants, only the newest are replayed, without blocking the event loop', async () => {
  const quiz = await publishSample(client, readyProfilsQuiz(client))
  const { id, answer_ids, question_id, result_ids } = quiz
  await fill(id, { count: MAX_READ_PARTICIPANTS + 50, answers: 2 })
  // Each other participant has the second result and the first answer, or the reverse.
  await client.questions.removeAnswer({ id: question_id, answerId: answer_ids[1] ?? '' })
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const began = performance.now()
  const replay = await client.replay.get({ id })
  const took = performance.now() - began
  loop.disable()
  assert.equal(replay.nb_participants, MAX_READ_PARTICIPANTS + 50)
  assert.equal(replay.nb_replayed, MAX_READ_PARTICIPANTS)
  // The remaining answer gives its result to all participants; half of them had the other result.
  assert.equal(replay.results?.nb_changed, MAX_READ_PARTICIPANTS / 2)
  assert.deepEqual(
    replay.results?.moves.map(({ from, to }) => [from?.id, to?.id]),
    [[result_ids[1], result_ids[0]]],
  )
  assert.ok(loop.max / 1e6 < took / 3, `the loop stood still for ${loop.max / 1e6} of ${took} ms`)
})
