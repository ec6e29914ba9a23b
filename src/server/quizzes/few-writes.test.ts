import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const textOf = (sent: unknown): string =>
  (typeof sent === 'string' ? sent : String((sent as { text?: unknown }).text)).trim()

test('saving a typed letter takes at most seven statements', async (context) => {
  const { id, question_id } = await readyScoreQuiz(client)
  const { revision: based_on } = await client.drafts.get({ id })
  const query = context.mock.method(pg.Client.prototype, 'query')
  const questions = [{ id: question_id, text: 'Votre agenda ??' }]
  await client.drafts.save({ id, body: { based_on, questions } })
  // The driver probes a slow connection with 'select 1', which does not belong to the save.
  const texts = query.mock.calls
    .map(({ arguments: [sent] }) => textOf(sent))
    .filter((text) => text !== 'select 1')
  query.mock.restore()
  assert.ok(
    texts.some((text) => text.startsWith('insert into "questions"')),
    texts.join('\n'),
  )
  assert.ok(texts.length <= 7, texts.join('\n'))
})

test('a save does not write unchanged ranks', async () => {
  const { id, question_id, open_id } = await readyScoreQuiz(client)
  const written = async () => {
    const { rows } = await sql<{ id: string; xmin: string }>`
      select id, xmin::text from questions where quiz_id = ${id}
    `.execute(app.db)
    return new Map(rows.map((row) => [row.id, row.xmin]))
  }
  const before = await written()
  const added = { id: randomUUID(), type: 'text' as const, global_position: 1, page_number: 1 }
  const { revision: based_on } = await client.drafts.get({ id })
  await client.drafts.save({ id, body: { based_on, questions: [added] } })
  const now = await written()
  assert.equal(now.get(question_id), before.get(question_id))
  assert.notEqual(now.get(open_id), before.get(open_id))
})
