import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Job } from '#server/heavy-work/job-limits.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { publishInTurn } from './freeze-in-thread.ts'

const app = await createTestApp()
after(() => app.close())
const { client, user_id } = await app.signUp()
const { signal } = new AbortController()

/** Publishes with a scheduler that writes down its jobs. Returns what happened in order. */
const publish = async (quiz_id: string): Promise<string[]> => {
  const events: string[] = []
  const heavyWork = {
    run: async <T>({ kind, owner }: Job, task: (signal: AbortSignal) => Promise<T>) => {
      events.push(`${kind} of ${owner === user_id ? 'the creator' : owner} has its turn`)
      return task(signal)
    },
  }
  const owned = { quiz_id, creator_id: user_id, signal }
  await publishInTurn({ db: app.db, heavyWork }, owned, async () => {
    events.push('the transaction begins')
  })
  return events
}

test('the transaction of a large publication begins in the turn of its creator', async () => {
  const { id } = await readyScoreQuiz(client)
  assert.deepEqual(await publish(id), ['the transaction begins'])
  const { questions } = await client.questions.unified({ id })
  const text_blocks = Array.from({ length: 20 }, (_, rank) => ({
    id: randomUUID(),
    page_number: 1,
    global_position: 10 + rank,
    content: `${rank} `.repeat(2_000).slice(0, 5_000),
  }))
  await client.questions.saveDraft({ id, body: { questions, text_blocks } })
  assert.deepEqual(await publish(id), [
    'publication of the creator has its turn',
    'the transaction begins',
  ])
  await client.quizzes.publish({ id })
  assert.equal((await client.quizzes.get({ id })).quiz.status, 'Publié')
})
