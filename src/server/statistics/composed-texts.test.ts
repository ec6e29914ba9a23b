import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { publishedScoreQuiz } from '#server/testing/sample-quizzes.ts'
import { createTestApp } from '#server/testing/test-app.ts'
import { findDifferences } from './verify.store.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const COMPOSED = 'François'.normalize('NFC')
const DECOMPOSED = 'François'.normalize('NFD')
const MIGRATIONS = ['310_canonical_emails', '311_composed_texts', '341_composed_texts'].map(
  (name) => new URL(`../db/migrations/${name}.sql`, import.meta.url),
)

test('texts that were stored with decomposed letters are counted and found with the composed ones', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { id, open_id } = quiz
  const came = { utm_source: COMPOSED }
  for (let rank = 0; rank < 3; rank++)
    await app.client.taking.submit({
      id,
      body: {
        answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [open_id]: `a${rank}@exemple.fr` },
        parameters: came,
      },
    })
  const { details } = await client.statistics.responses({ id })
  for (const [rank, { participant_uuid }] of details.entries())
    await app.pool.query(
      `update responses set texts = array[$2], email = $2 || '@exemple.fr', parameters = $3
      where participant_uuid = $1`,
      [
        participant_uuid,
        rank === 0 ? DECOMPOSED : COMPOSED,
        { utm_source: rank === 1 ? DECOMPOSED : COMPOSED },
      ],
    )
  for (const table of ['text_counts', 'parameter_counts'])
    await app.pool.query(`delete from ${table} where quiz_id = $1`, [id])
  await app.pool.query(
    `insert into text_counts
    select $1, $2, sha256(convert_to(text, 'UTF8')), text, count
    from (values ($3, 1), ($4, 2)) as given(text, count)`,
    [id, open_id, DECOMPOSED, COMPOSED],
  )
  await app.pool.query(
    `insert into parameter_counts values ($1, 'utm_source', $2, 1), ($1, 'utm_source', $3, 2)`,
    [id, DECOMPOSED, COMPOSED],
  )
  assert.deepEqual(await findDifferences(app.pool, id), [])

  for (const file of MIGRATIONS) await app.pool.query(await readFile(file, 'utf8'))

  assert.deepEqual(await findDifferences(app.pool, id), [])
  const { stats, figures } = await client.statistics.responses({ id, figures: '1' })
  assert.deepEqual(
    stats[open_id]?.answers.map(({ answer_text, count }) => [answer_text, count]),
    [[COMPOSED, 3]],
  )
  assert.deepEqual(figures?.sources[0]?.values, [{ value: COMPOSED, count: 3 }])
  const { texts } = await client.statistics.texts({ id, questionId: open_id, search: COMPOSED })
  assert.deepEqual(texts, [{ text: COMPOSED, count: 3 }])
  const found = await client.statistics.responses({ id, email: COMPOSED })
  assert.equal(found.details.length, 3)
})
