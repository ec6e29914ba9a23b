import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { AbandonedCall } from '#server/http/edge/errors.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { judgePublishedQuestions } from './analyses/analyses.routes.ts'
import { forEachParticipant } from './analyses/each-participant.ts'
import { createReplayDraft } from './analyses/replay-draft.ts'

const app = await createTestApp()
after(() => app.close())

/** Adds participants to a quiz. */
const addParticipants = (quiz_id: string, count: number) =>
  app.pool.query(
    `insert into responses (quiz_id, participant_uuid, version, choices, texts)
      select $1, gen_random_uuid(), 1, '{0}', array['p' || rank] from generate_series(1, $2::integer) as rank`,
    [quiz_id, count],
  )

const ask = (creator: SignedUp, id: string, what: 'replay' | 'question-quality') =>
  app.raw({
    method: 'GET',
    url: `/api/v1/quizzes/${id}/${what}`,
    headers: { authorization: `Bearer ${creator.access_token}` },
  })

const busy = await app.signUp()
const busyQuiz = await publishedScoreQuiz(busy.client)
await addParticipants(busyQuiz.id, 3_000)

test('concurrent analyses of one creator take turns or are refused with a time, and another creator’s analysis is answered', async () => {
  const other = await app.signUp()
  const quiz = await publishedScoreQuiz(other.client)
  const many = Array.from({ length: 14 }, (_, rank) =>
    ask(busy, busyQuiz.id, rank % 2 === 0 ? 'replay' : 'question-quality'),
  )
  const [replay, quality] = await Promise.all([
    ask(other, quiz.id, 'replay'),
    ask(other, quiz.id, 'question-quality'),
  ])
  assert.deepEqual([replay.statusCode, quality.statusCode], [200, 200])
  const replies = await Promise.all(many)
  const refused = replies.filter(({ statusCode }) => statusCode !== 200)
  for (const { statusCode, headers } of refused) {
    assert.equal(statusCode, 503)
    assert.ok(Number(headers['retry-after']) > 0)
  }
})

describe('an abandoned analysis', () => {
  const owned = { quiz_id: busyQuiz.id, creator_id: busy.user_id }

  test('an abandoned analysis reads no further participant', async () => {
    const abort = new AbortController()
    let nb_visited = 0
    const reading = forEachParticipant(
      app.db,
      { quiz_id: busyQuiz.id, signal: abort.signal },
      () => () => {
        if (++nb_visited === 10) abort.abort(new AbandonedCall())
      },
    )
    await assert.rejects(reading, AbandonedCall)
    assert.equal(nb_visited, 10)
  })

  test('an abandoned analysis sends no further query', async () => {
    const signal = AbortSignal.abort(new AbandonedCall())
    const replayDraft = createReplayDraft({ runInThread: async () => assert.fail('computed') })
    await assert.rejects(replayDraft(app.db, owned, signal), AbandonedCall)
    await assert.rejects(judgePublishedQuestions(app.db, owned, signal), AbandonedCall)
  })
})
