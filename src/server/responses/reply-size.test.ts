import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { MAX_REPLY_BYTES } from '#domain/common/vocabulary.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'

/** Enough questions for texts of 1 MB, which the body of a submission may carry. */
const QUESTION_IDS = Array.from({ length: 99 }, () => randomUUID())
const LONGEST = 10_000

const app = await createTestApp()
after(() => app.close())
let quiz_id = ''
before(async () => {
  const { client } = await app.signUp()
  const created = await client.quizzes.create({ body: { name: 'Mémoire', type: 'sondage' } })
  quiz_id = created.quiz.id
  const questions = QUESTION_IDS.map((id) => ({
    id,
    type: 'text' as const,
    text: 'Racontez.',
    is_required: false,
  }))
  await client.questions.saveDraft({ id: quiz_id, body: { questions } })
  await client.quizzes.publish({ id: quiz_id })
})

/** Random letters, which PostgreSQL cannot compress. */
const randomText = (length: number): string =>
  Buffer.from(Array.from({ length }, () => 97 + Math.floor(Math.random() * 26))).toString('latin1')

const submit = (texts: readonly string[]) =>
  app.raw({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz_id}/submit`,
    body: { answers: Object.fromEntries(texts.map((text, rank) => [QUESTION_IDS[rank], text])) },
  })

const storedBytes = async (): Promise<number> => {
  const { rows } = await sql<{ bytes: string }>`
    select pg_total_relation_size('responses') as bytes
  `.execute(app.db)
  return Number(rows[0]?.bytes)
}

test('the texts of a submission have 256 KiB together, and one byte more is refused in French', async () => {
  const most = [...Array(26).fill('é'.repeat(LONGEST / 2)), 'a'.repeat(MAX_REPLY_BYTES - 260_000)]
  assert.equal((await submit(most)).statusCode, 201)
  const refused = await submit([...most, 'b'])
  assert.equal(refused.statusCode, 422)
  assert.match(
    refused.json<{ error: string }>().error,
    /Les textes font 257 Ko en tout, et ce site en enregistre 256 Ko au plus/,
  )
})

test('twenty of the largest submissions take less than their own bytes and a tenth', async () => {
  const before_bytes = await storedBytes()
  for (let nr = 0; nr < 20; nr++) {
    const texts = Array.from({ length: 26 }, () => randomText(LONGEST))
    assert.equal((await submit(texts)).statusCode, 201)
  }
  const share = ((await storedBytes()) - before_bytes) / (20 * 26 * LONGEST)
  assert.ok(share < 1.1, `${share.toFixed(2)} bytes for each byte`)
})
