import { after, test } from 'node:test'
import { pino } from 'pino'
import { createApp } from '#server/app.ts'
import { publishedScoreQuiz, type Ready } from '#server/testing/sample-quizzes.ts'
import { createTestApp } from '#server/testing/test-app.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const errors: unknown[] = []
const second = await createApp({ config: app.config, database: { db: app.db, pool: app.pool, isReady: async () => true, close: async () => {} }, secretKey: 'a secret that only tests know of', log: pino({ level: 'error' }), has_pages: false })
await second.ready()
const submit = (quiz: Ready, rank: number) =>
  (rank % 2 ? app.app : second).inject({ method: 'POST', url: `/api/v1/quizzes/${quiz.id}/submit`,
    body: { answers: { [quiz.question_id]: quiz.answer_ids[(rank>>1) % 2] ?? '', [quiz.open_id]: `p${rank%50}@x.fr` } } })

test('lone submission while delete in progress', async () => {
  const quiz = await publishedScoreQuiz(client)
  const c = await app.pool.connect()
  await c.query('begin'); await c.query('delete from quizzes where id=$1', [quiz.id])
  const p = submit(quiz, 0)
  await new Promise(r => setTimeout(r, 300))
  await c.query('commit'); c.release()
  const r = await p
  console.log('lone', r.statusCode, r.body)
})
test('deadlock storms', async () => {
  const tally: Record<string, number> = {}
  for (let i = 0; i < 25; i++) {
    const quiz = await publishedScoreQuiz(client)
    const others = await Promise.all([1,2,3,4,5,6].map(() => publishedScoreQuiz(client)))
    const t1 = Date.now()
    const s = Array.from({ length: 400 }, (_, r) => submit(r % 4 ? quiz : others[r % 6]!, r))
    await s[(i * 7) % 150]
    const t0 = Date.now()
    const del = i % 3 ? await client.quizzes.remove({ id: quiz.id }).then(() => 'del ok', (e) => `del ${e.status} ${e.code}`) : 'no'
    const k = `${del} ${Date.now() - t0 > 500 ? 'SLOW' : ''}`
    tally[k] = (tally[k] ?? 0) + 1
    for (const x of await Promise.all(s)) tally[x.statusCode] = (tally[x.statusCode] ?? 0) + 1
    if (Date.now() - t1 > 900) console.log('slow round', Date.now() - t1)
  }
  console.log(tally)
  const { rows } = await app.pool.query("select deadlocks from pg_stat_database where datname = current_database()")
  console.log(rows)
  await second.close()
})
