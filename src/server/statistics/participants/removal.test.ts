import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Client } from '#contract/client/client.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { createVisits } from '#server/responses/visits.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
const visits = createVisits(app.pool, app.app.log)
after(async () => {
  await visits.close()
  await app.close()
})
afterEach(async () => assert.deepEqual(await findDifferences(app.pool), []))
const { client } = await app.signUp()

const submit = async (quiz: SampleQuiz, choice: number, email: string): Promise<string> => {
  const answers = {
    [quiz.question_id]: quiz.answer_ids[choice % 2] ?? '',
    [quiz.open_id]: email,
  }
  return (
    await app.client.publicQuiz.submit({
      id: quiz.id,
      body: { answers, elapsed_seconds: 60 + choice },
    })
  ).participant_uuid
}
const remove = (quiz: SampleQuiz, participantId: string, by: Client = client) =>
  by.participants.remove({ id: quiz.id, participantId })
const sumOf = (lines: readonly { count: number }[]): number =>
  lines.reduce((sum, { count }) => sum + count, 0)

describe('a removed participant', () => {
  test('a removed participant leaves no trace in any figure or text', async () => {
    const quiz = await publishedScoreQuiz(client)
    await submit(quiz, 0, 'ada@exemple.fr')
    await submit(quiz, 1, 'alan@exemple.fr')
    const before = await client.statistics.responses({ id: quiz.id, figures: '1' })
    const last = await submit(quiz, 1, 'seule@exemple.fr')
    const again = await submit(quiz, 1, 'alan@exemple.fr')
    await remove(quiz, last)
    await remove(quiz, again)
    assert.deepEqual(await client.statistics.responses({ id: quiz.id, figures: '1' }), before)
    const { rows } = await app.pool.query(
      "select from text_counts where quiz_id = $1 and text like 'seule%'",
      [quiz.id],
    )
    assert.equal(rows.length, 0)
    assert.equal((await client.quizzes.get({ id: quiz.id })).quiz.nb_responses, 2)
    await refuses(remove(quiz, last), 404, 'not_found')
  })

  test('a removed participant without a duration is not counted among long durations', async () => {
    const quiz = await publishedScoreQuiz(client)
    const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' }
    const slow = { id: quiz.id, body: { answers, elapsed_seconds: 7_200 } }
    await app.client.publicQuiz.submit(slow)
    const unknown = await app.client.publicQuiz.submit({ id: quiz.id, body: { answers } })
    const from = '2020-01-01'
    const { figures } = await client.statistics.responses({ id: quiz.id, figures: '1', from })
    assert.equal(figures?.duration?.count, 1)
    await remove(quiz, unknown.participant_uuid)
    const left = await client.statistics.responses({ id: quiz.id, figures: '1' })
    assert.deepEqual(left.figures?.duration, figures?.duration)
  })

  test('the removal of a participant of a foreign quiz, or through another quiz, is a 404', async () => {
    const quiz = await publishedScoreQuiz(client)
    const participant = await submit(quiz, 0, 'ada@exemple.fr')
    const stranger = await app.signUp()
    await refuses(remove(quiz, participant, stranger.client), 404, 'not_found')
    const own = await publishedScoreQuiz(stranger.client)
    await refuses(remove(own, participant, stranger.client), 404, 'not_found')
    assert.equal((await client.quizzes.get({ id: quiz.id })).quiz.nb_responses, 1)
  })

  test('the explanation of a participant states the result, and another creator gets a 404', async () => {
    const quiz = await publishedScoreQuiz(client)
    const participantId = await submit(quiz, 1, 'ada@exemple.fr')
    const { explanation } = await client.participants.explain({ id: quiz.id, participantId })
    assert.deepEqual(
      [
        explanation.result_name,
        explanation.score,
        explanation.contributions,
        explanation.runner_up,
      ],
      [
        'Grand saut',
        5,
        [{ question_text: 'Votre agenda ?', answer_text: 'Libre', score: 5, points: [] }],
        { result_name: 'Pas à pas', margin: 1 },
      ],
    )
    const stranger = await app.signUp()
    await refuses(
      stranger.client.participants.explain({ id: quiz.id, participantId }),
      404,
      'not_found',
    )
  })
})

describe('a removed person', () => {
  test('a removed person is removed from every quiz of the creator and from no other quiz', async () => {
    const quizzes = [
      await publishedScoreQuiz(client, 'Un'),
      await publishedScoreQuiz(client, 'Deux'),
    ]
    const other = await app.signUp()
    const foreign = await publishedScoreQuiz(other.client)
    for (const quiz of [...quizzes, foreign]) {
      await submit(quiz, 0, 'Marie@exemple.fr')
      await submit(quiz, 1, 'marie@exemple.fr')
      await submit(quiz, 1, 'marie@exemple.fr.autre')
    }
    const found = await client.participants.ofPerson({ body: { email: 'MARIE@exemple.fr' } })
    assert.deepEqual(
      found.responses.map(({ quiz_name, email, score, answers }) => [
        quiz_name,
        email,
        score,
        answers[0]?.answer_text,
      ]),
      [
        ['Deux', 'marie@exemple.fr', 5, 'Libre'],
        ['Deux', 'marie@exemple.fr', 1, 'Rempli'],
        ['Un', 'marie@exemple.fr', 5, 'Libre'],
        ['Un', 'marie@exemple.fr', 1, 'Rempli'],
      ],
    )
    const body = { email: ' marie@exemple.fr ' }
    assert.deepEqual(await client.participants.removePerson({ body }), {
      nb_deleted: 4,
      nb_invitations: 0,
    })
    assert.deepEqual(await client.participants.removePerson({ body }), {
      nb_deleted: 0,
      nb_invitations: 0,
    })
    assert.deepEqual((await client.participants.ofPerson({ body })).responses, [])
    for (const { id } of quizzes)
      assert.equal((await client.quizzes.get({ id })).quiz.nb_responses, 1)
    assert.equal((await other.client.quizzes.get({ id: foreign.id })).quiz.nb_responses, 3)
  })
})

test('a filter by an answer without remaining participants finds none, and an unknown answer is refused', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { id, result_ids, answer_ids } = quiz
  const answer = answer_ids.join()
  const filters = [{ result: result_ids[0] }, { answer: answer_ids[0] }, { answer }]
  await remove(quiz, await submit(quiz, 0, 'x@exemple.fr'))
  for (const filter of filters) {
    const { details, figures } = await client.statistics.responses({ id, figures: '1', ...filter })
    assert.deepEqual([details, figures?.nb_participants], [[], 0])
    const { now } = await client.statistics.keyFigures({ id, ...filter })
    assert.deepEqual([now.nb_participants, now.nb_addresses], [0, 0])
    const sides = { rows: 'result', columns: quiz.question_id }
    const { table } = await client.statistics.crosstab({ id, ...sides, ...filter })
    assert.equal(table?.nb_participants, 0)
  }
  for (const filter of [{ result: answer_ids[0] }, { answer: result_ids[0] }])
    await assert.rejects(client.statistics.responses({ id, ...filter }), { status: 422 })
})

/** Adds a participant, or removes one that may exist. */
const moves = fc.array(
  fc.record({ goes: fc.boolean(), choice: fc.nat(1), who: fc.nat(6), whom: fc.nat(30) }),
  { minLength: 5, maxLength: 40 },
)

test('under concurrent additions and removals, all figures and exports match the remaining participants', () =>
  fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const quiz = await publishedScoreQuiz(client)
      const { id } = quiz
      const arrived = [await submit(quiz, 0, 'x0@y.fr'), await submit(quiz, 1, 'x1@y.fr')]
      const gone = new Set<string>()
      await Promise.all(
        all.map(async ({ goes, choice, who, whom }) => {
          visits.count({ quiz_id: id, version: 1, from: 0, to: 1 + (whom % 3) })
          if (whom % 4 === 0) await visits.flush()
          // Counts made in the meantime may be cached, but must not outlive their state.
          if (whom % 5 === 0) await client.statistics.responses({ id, result: quiz.result_ids[0] })
          if (!goes) return void arrived.push(await submit(quiz, choice, `x${who}@y.fr`))
          const participant = arrived[whom % arrived.length] ?? ''
          // Two calls may remove the same participant; the second finds none.
          await remove(quiz, participant).catch(({ status }) => assert.equal(status, 404))
          gone.add(participant)
        }),
      )
      await visits.flush()
      const left = arrived.filter((participant_uuid) => !gone.has(participant_uuid))
      const { stats, details, figures } = await client.statistics.responses({
        id,
        limit: 500,
        figures: '1',
      })
      assert.deepEqual(details.map((detail) => detail.participant_uuid).sort(), left.sort())
      assert.deepEqual(await findDifferences(app.pool, id), [])
      for (const { answers } of Object.values(stats)) assert.equal(sumOf(answers), left.length)
      assert.equal(sumOf(figures?.results ?? []), left.length)
      assert.equal(sumOf(figures?.days ?? []), left.length)
      assert.equal(figures?.scores?.count ?? 0, left.length)
      assert.equal(figures?.duration?.count ?? 0, left.length)
      for (const { nb_participants } of Object.values(figures?.questions ?? {}))
        assert.equal(nb_participants, left.length)
      const steps = figures?.visits?.[0]?.steps ?? []
      assert.equal(steps.at(-1)?.count ?? 0, left.length)
      for (const [rank, { count }] of steps.entries())
        assert.ok(count >= (steps[rank + 1]?.count ?? 0), 'the funnel never increases')
      const halves = left.length === 0 ? [] : quiz.result_ids
      const filtered = await Promise.all(
        halves.map((result) => client.statistics.responses({ id, result, figures: '1' })),
      )
      for (const [rank, half] of filtered.entries()) {
        const { count } = figures?.results[rank] ?? {}
        assert.equal(half.figures?.nb_participants, count)
        assert.equal(half.details.length, count)
        assert.equal(half.figures?.duration?.count ?? 0, count)
        for (const { answers } of Object.values(half.stats)) assert.equal(sumOf(answers), count)
      }
      const { url } = await client.exports.link({ id, body: { format: 'csv' } })
      const lines = (await app.raw({ method: 'GET', url })).body.trim().split('\r\n').slice(1)
      for (const { answer_text, count } of stats[quiz.question_id]?.answers ?? [])
        assert.equal(lines.filter((line) => line.includes(`,${answer_text},`)).length, count)
    }),
    { numRuns: countCases(12), endOnFailure: true },
  ))
