import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it waits for real delays.

const app = await createTestApp()
after(() => app.close())

/** Duration of a large deletion: longer than the statement timeout of the pool. */
const LONG = `
  create function take_long() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(5.5);
    return old;
  end
  $$;
  create trigger take_long before delete on all_quizzes for each row execute function take_long();
`
/** Number of participants above which a deletion uses the other pool. */
const MANY = 10_001

test('a quiz with many participants and its account are deleted despite the statement timeout', async () => {
  const [first, second] = [await app.signUp(), await app.signUp()]
  const quizzes = [await publishedScoreQuiz(first.client), await publishedScoreQuiz(second.client)]
  await app.pool.query('update quiz_versions set nb_responses = $1', [MANY])
  await app.pool.query(LONG)
  const [one] = quizzes
  await Promise.all([
    first.client.quizzes.remove({ id: one?.id ?? '', permanently: '1' }),
    second.client.account.remove({ body: { confirmation: 'SUPPRIMER' } }),
  ])
  await refuses(first.client.quizzes.get({ id: one?.id ?? '' }), 404, 'not_found')
  const { rows } = await app.pool.query('select from all_quizzes where id = any($1::uuid[])', [
    quizzes.map(({ id }) => id),
  ])
  assert.equal(rows.length, 0)
})
