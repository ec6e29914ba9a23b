import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/built-app.ts'
import { publishedQuizOf } from '#server/testing/sized-quiz.ts'
import { addPictures, publishWhole } from '#server/testing/whole-quiz.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

/** What a page weighs in brotli, before its script, pictures and font. */
const weightOf = async (id: string): Promise<number> => {
  const headers = { 'accept-encoding': 'br' }
  const { statusCode, rawPayload } = await app.raw({ url: `/q/${id}`, headers })
  assert.equal(statusCode, 200)
  return rawPayload.length / 1_024
}

const LIMITS: [questions: number, kilobytes: number][] = [
  [10, 6],
  [100, 16],
]
for (const [questions, kilobytes] of LIMITS)
  test(`a page of ${questions} questions can be answered with ${kilobytes} KB`, async () => {
    const weight = await weightOf(await publishedQuizOf(client, questions))
    assert.ok(weight <= kilobytes, `${weight} KB`)
  })

test('one of 10 questions with every part there is can be answered with 7 KB', async () => {
  const id = await publishedQuizOf(client, 10)
  await publishWhole(client, id, await addPictures(client))
  const weight = await weightOf(id)
  assert.ok(weight <= 7, `${weight} KB`)
})
