import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'

const app = await createTestApp()
after(() => app.close())

test('a page has 20 participants of a questionnaire of 500 questions, and the next page has the others', async () => {
  const { client } = await app.signUp()
  const { quiz } = await client.quizzes.create({ body: { name: 'Long', type: 'sondage' } })
  const { id } = quiz
  const questions = Array.from({ length: 500 }, (_, rank) => ({
    id: randomUUID(),
    text: `Question ${rank} ?`,
    type: 'text' as const,
    is_required: false,
  }))
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  for (let count = 0; count < 23; count++)
    await app.client.publicQuiz.submit({
      id,
      body: { answers: { [questions[0]?.id ?? '']: 'oui' } },
    })
  const first = await client.statistics.responses({ id, limit: 50 })
  assert.equal(first.details.length, 20)
  assert.ok(first.next_cursor)
  const second = await client.statistics.responses({ id, limit: 50, cursor: first.next_cursor })
  assert.deepEqual([second.details.length, second.next_cursor], [3, null])
  // A full page announces no other page if its participants are the last.
  const full = await client.statistics.responses({ id, limit: 3, cursor: first.next_cursor })
  assert.deepEqual([full.details.length, full.next_cursor], [3, null])
})
