import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { RefusedCall } from '#contract/client/client.ts'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { recountQuarters } from '#server/testing/app/recount-quarters.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { findDifferences } from './counters/verify-counters.store.ts'
import { indexNextRareAnswers, indexRareAnswers } from './selection/rare-answers.store.ts'

// Runs in test:all, because it counts 60,000 participants again and again.

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

/** Number of participants: more than are counted within a call, and enough for rare answers to be listed. */
const MANY = 60_000
const STEP = 5_000
/** Number of participants of whom one gave the first answer. */
const RARE = 1_000

let quiz: SampleQuiz
const FILL = `insert into responses (quiz_id, participant_uuid, version, email, result_position, score, choices, texts, created_at)
    select $1, gen_random_uuid(), 1, 'p' || rank || '@exemple.fr', 1, 5,
      array[case when rank % ${RARE} = 0 then 0 else 1 end]::smallint[], array['texte ' || rank % 3],
      now() - interval '1 hour' - rank * interval '1 second'
    from generate_series($2::integer, $2 + ${STEP - 1}) as rank`
const COUNT = [
  `update quiz_versions set nb_responses = ${MANY} where quiz_id = $1`,
  `insert into choice_counts select quiz_id, version, question_position, answer, count(*) from responses
    cross join lateral unnest(choices) with ordinality as choice(answer, rank)
    join version_questions using (quiz_id, version, rank) where quiz_id = $1 and is_choice group by 1, 2, 3, 4`,
  `insert into text_counts select quiz_id, question_id, sha256(convert_to(text, 'UTF8')), text, count(*) from responses
    cross join lateral unnest(texts) with ordinality as reply(text, rank)
    join version_questions using (quiz_id, version, rank) where quiz_id = $1 and not is_choice group by 1, 2, 4`,
  `insert into result_counts select quiz_id, version, result_position, count(*) from responses where quiz_id = $1 group by 1, 2, 3`,
  `insert into score_counts select quiz_id, score, count(*) from responses where quiz_id = $1 group by 1, 2`,
]
before(async () => {
  quiz = await publishedScoreQuiz(client)
  for (let rank = 1; rank <= MANY; rank += STEP) await app.pool.query(FILL, [quiz.id, rank])
  for (const statement of COUNT) await app.pool.query(statement, [quiz.id])
  await recountQuarters(app.pool, quiz.id)
  await app.pool.query('analyze responses')
  assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
})
const submit = (choice: 0 | 1) =>
  app.client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: 'x@y.fr' },
    },
  })
const readFrequent = (async?: '1') =>
  client.statistics.responses({
    id: quiz.id,
    answer: quiz.answer_ids[1],
    figures: '1',
    limit: 1,
    async,
  })
const TRIES = 10
/** Repeats a call that needs exact counts until it succeeds, because a busy machine may be too slow. */
const waitFor = async <T>(call: () => Promise<T>, tries = TRIES): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    const is_slow = error instanceof RefusedCall && error.code === 'too_slow'
    if (!is_slow || tries === 0) throw error
    return waitFor(call, tries - 1)
  }
}
const waitForFrequent = () => waitFor(() => readFrequent())
const countOf = async (choice: 0 | 1): Promise<number> => {
  const { rows } = await app.pool.query<{ count: number }>(
    'select count(*) from responses where quiz_id = $1 and choices[1] = $2',
    [quiz.id, choice],
  )
  return rows[0]?.count ?? Number.NaN
}
const sum = (lines: readonly { count: number }[] = []) =>
  lines.reduce((all, line) => all + line.count, 0)

describe('a large selection', () => {
  test('a large selection lists its participants immediately and says that figures are being counted', async () => {
    const { details, stats, figures, as_of } = await readFrequent('1')
    assert.equal(details.length, 1)
    assert.equal(figures, undefined)
    assert.deepEqual(stats, {})
    assert.equal(as_of?.counted_at, null)
    assert.equal(as_of?.nb_all_participants, MANY)
    assert.equal(as_of?.choices.questions[0]?.answers[1]?.id, quiz.answer_ids[1])
  })

  test('a large selection has exact counts for a waiting call, and then for other calls', async () => {
    const waited = await waitForFrequent()
    const count = await countOf(1)
    assert.equal(waited.as_of, undefined)
    assert.equal(waited.figures?.nb_participants, count)
    for (const { answers } of Object.values(waited.stats)) assert.equal(sum(answers), count)
    assert.equal(sum(waited.figures?.days), count)
    assert.equal(sum(waited.figures?.results), count)
    assert.deepEqual(await readFrequent('1'), waited)
  })

  test('a large selection can be sorted only by date and cannot be searched', async () => {
    const { id } = quiz
    const oldest = await client.statistics.responses({ id, order: 'asc', limit: 2 })
    assert.equal(oldest.details[0]?.email, `p${MANY}@exemple.fr`)
    const refused = [{ sort: 'email' }, { sort: 'delivery' }, { search: 'texte' }] as const
    for (const asked of refused)
      await refuses(client.statistics.responses({ id, ...asked }), 422, 'invalid')
    await assert.rejects(
      client.statistics.responses({ id, sort: 'score' }),
      /Trop de participants pour être triés ainsi : filtrez d’abord/,
    )
    const few = { id, answer: quiz.answer_ids[0], sort: 'email', order: 'asc' } as const
    const { details } = await client.statistics.responses({ ...few, search: 'TEXTE 0' })
    assert.deepEqual(
      details.map(({ email }) => email),
      Array.from({ length: MANY / RARE }, (_, rank) => `p${(rank + 1) * RARE}@exemple.fr`)
        .filter((_, rank) => (rank + 1) % 3 === 0)
        .sort(),
    )
  })

  test('a large selection shows the previous counts with their time after a new participant', async () => {
    const before = await countOf(1)
    await submit(1)
    const { figures, as_of, details } = await readFrequent('1')
    assert.equal(details[0]?.answers[1]?.answer_text, 'x@y.fr')
    assert.equal(figures?.nb_participants, before)
    assert.ok(Date.parse(as_of?.counted_at ?? '') <= Date.now())
    const waited = await waitForFrequent()
    assert.equal(waited.figures?.nb_participants, before + 1)
    assert.equal(waited.as_of, undefined)
  })

  test('a large selection never shows counts that include a removed participant', async () => {
    const before = await countOf(1)
    const { details } = await waitForFrequent()
    const participantId = details[0]?.participant_uuid ?? ''
    await client.participants.remove({ id: quiz.id, participantId })
    const { figures, stats, as_of } = await readFrequent('1')
    assert.equal(figures, undefined)
    assert.deepEqual(stats, {})
    assert.equal(as_of?.counted_at, null)
    assert.equal((await waitForFrequent()).figures?.nb_participants, before - 1)
  })

  test('a large selection always has consistent counts while participants come and go', async () => {
    const changes = Array.from({ length: 12 }, async (_, turn) => {
      const { participant_uuid } = await submit(1)
      if (turn % 3 === 0)
        await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
    })
    const reads = Array.from({ length: 8 }, (_, turn) =>
      turn % 2 ? readFrequent('1') : waitForFrequent(),
    )
    for (const { figures, stats } of await Promise.all(reads))
      for (const { answers } of Object.values(stats))
        assert.equal(sum(answers), figures?.nb_participants)
    await Promise.all(changes)
    assert.equal((await waitForFrequent()).figures?.nb_participants, await countOf(1))
    assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
  })
})

describe('figures of many participants', () => {
  test('figures of many participants have key figures from counters immediately, and the others later', async () => {
    const read = (async?: '1') => client.statistics.keyFigures({ id: quiz.id, async })
    const count = (await countOf(0)) + (await countOf(1))
    const { now, as_of } = await read('1')
    assert.deepEqual([now.nb_participants, sum(now.days)], [count, count])
    const { nb_addresses, median_seconds, nb_delivered } = now
    assert.deepEqual([nb_addresses, median_seconds, nb_delivered], [null, null, null])
    assert.deepEqual(as_of, { counted_at: null })
    const waited = await waitFor(() => read())
    assert.equal(waited.as_of, undefined)
    assert.equal(waited.now.nb_delivered, 0)
    assert.ok((waited.now.nb_addresses ?? 0) >= MANY)
    assert.deepEqual(await read('1'), waited)
    // The figures of a previous moment, marked as such.
    await submit(1)
    const after = await read('1')
    assert.equal(after.now.nb_participants, count + 1)
    assert.equal(after.now.nb_addresses, waited.now.nb_addresses)
    assert.ok(Date.parse(after.as_of?.counted_at ?? '') <= Date.now())
  })

  test('figures of many participants have tables that are counted in the background and are then exact', async () => {
    const asked = { id: quiz.id, rows: 'result', columns: quiz.question_id }
    const first = await client.statistics.crosstab({ ...asked, async: '1' })
    assert.deepEqual(first, { table: null, as_of: { counted_at: null } })
    const { table, as_of } = await waitFor(() => client.statistics.crosstab(asked))
    const counts = [await countOf(0), await countOf(1)]
    assert.equal(as_of, undefined)
    assert.equal(table?.nb_participants, sum(counts.map((count) => ({ count }))))
    assert.deepEqual(
      table.columns.items.map(({ count }) => count),
      counts,
    )
    assert.deepEqual((await client.statistics.crosstab({ ...asked, async: '1' })).table, table)
    const wrong = client.statistics.crosstab({ ...asked, columns: quiz.open_id, async: '1' })
    await refuses(wrong, 422, 'invalid')
  })

  test('figures of many participants can be filtered by a rare and a frequent answer of one question', async () => {
    const answer = quiz.answer_ids.join()
    const { figures } = await waitFor(() =>
      client.statistics.responses({ id: quiz.id, answer, figures: '1', limit: 1 }),
    )
    assert.equal(figures?.nb_participants, (await countOf(0)) + (await countOf(1)))
  })
})

describe('a rare answer', () => {
  const readRare = () =>
    client.statistics.responses({ id: quiz.id, answer: quiz.answer_ids[0], figures: '1' })
  const listed = async (): Promise<number> => {
    const { rows } = await app.pool.query<{ count: number }>(
      'select count(*) from rare_answers where quiz_id = $1',
      [quiz.id],
    )
    return rows[0]?.count ?? Number.NaN
  }
  const isExact = async () => {
    const { figures, details } = await readRare()
    assert.equal(figures?.nb_participants, await countOf(0))
    assert.equal(details.length, figures?.nb_participants)
    assert.ok(details.every(({ answers }) => answers[0]?.answer_text === 'Rempli'))
  }

  test('a rare answer selects the same participants before and after it is listed', async () => {
    const before = await readRare()
    assert.equal(await listed(), 0)
    await Promise.all([indexRareAnswers(app.db), indexRareAnswers(app.db)])
    assert.equal(await listed(), MANY / RARE)
    assert.deepEqual(await readRare(), before)
  })

  test('a rare answer selects newer participants and no removed participants', async () => {
    const { participant_uuid } = await submit(0)
    await isExact()
    const { details } = await readRare()
    const oldest = details.at(-1)?.participant_uuid ?? ''
    await client.participants.remove({ id: quiz.id, participantId: oldest })
    assert.equal(await listed(), MANY / RARE - 1)
    await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
    await isExact()
  })

  test('a rare answer is searched among all participants if the list is incomplete', async () => {
    await app.pool.query(
      `delete from rare_answers where participant_uuid in (
        select participant_uuid from rare_answers where quiz_id = $1 limit 3)`,
      [quiz.id],
    )
    await isExact()
  })

  test('a rare answer is not listed for a participant that is being removed', async () => {
    const { id } = quiz
    const { details } = await readRare()
    const leaving = details.at(-1)?.participant_uuid
    assert.ok(leaving)
    await app.pool.query('delete from rare_answers where quiz_id = $1', [id])
    await app.pool.query(
      `update rare_answer_progress set examined_until = '-infinity' where quiz_id = $1`,
      [id],
    )
    await using removal = await openTransaction(
      app.pool,
      { text: 'select from quizzes where id = $1 for update', values: [id] },
      {
        text: 'delete from responses where quiz_id = $1 and participant_uuid = $2',
        values: [id, leaving],
      },
    )
    const listing = indexNextRareAnswers(app.db, id)
    await removal.waitUntilBlocking()
    await removal.commit()
    await listing
    const { rows } = await app.pool.query(
      'select participant_uuid from rare_answers where quiz_id = $1',
      [id],
    )
    assert.ok(rows.length > 0)
    assert.ok(rows.every(({ participant_uuid }) => participant_uuid !== leaving))
  })
})
