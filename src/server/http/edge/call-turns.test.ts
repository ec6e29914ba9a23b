import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())

test('a creator whose calls wait for a lock does not hold up another creator', async () => {
  const first = await app.signUp()
  const second = await app.signUp()
  const locked = await readyScoreQuiz(first.client)
  const other = await readyScoreQuiz(second.client)
  const lock = sql`select from quizzes where id = ${locked.id} for update`.compile(app.db)
  await using transaction = await openTransaction(app.pool, {
    text: lock.sql,
    values: [...lock.parameters],
  })
  const waiting = Array.from({ length: 30 }, (_, rank) =>
    first.client.quizzes.update({ id: locked.id, body: { name: `Essai ${rank}` } }),
  )
  const all = Promise.allSettled(waiting)
  await transaction.waitUntilBlocking()
  await second.client.quizzes.update({ id: other.id, body: { name: 'Sans attendre' } })
  assert.equal((await second.client.quizzes.get({ id: other.id })).quiz.name, 'Sans attendre')
  await transaction.commit()
  await all
})
