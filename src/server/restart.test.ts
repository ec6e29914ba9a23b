import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createEmptyDatabases } from './testing/app/empty-databases.ts'
import { startReverseProxy } from './testing/network/proxies/reverse-proxy.ts'
import { createHttpClient, signUpOverHttp } from './testing/people/http-creator.ts'
import { publishedScoreQuiz } from './testing/quizzes/sample-quizzes.ts'
import { databaseUrl, type ServerProcess, startProcess } from './testing/server-process.ts'

// Runs in test:all, because it replaces processes under load.
// Starts early, because its tests take more than 15 s.

const databases = await createEmptyDatabases()
const { connection, client: witness } = await databases.newDatabase()
const env = {
  DATABASE_URL: databaseUrl(connection),
  PUBLIC_URL: 'https://quiz.example',
  DRAIN_SECONDS: '4',
}
const running: ServerProcess[] = [await startProcess(env), await startProcess(env)]
const upstreams = running.map(({ origin }) => origin)
const proxy = await startReverseProxy(upstreams)
after(async () => {
  proxy.close()
  await Promise.all(running.map(({ end }) => end('SIGKILL')))
  await databases.cleanUp()
})

const VISITORS = 8

test('no call fails while both processes are replaced under load', async (t) => {
  const creator = createHttpClient(proxy.origin, await signUpOverHttp(proxy.origin))
  const quiz = await publishedScoreQuiz(creator)
  const page = `${proxy.origin}/q/${quiz.id}`
  const statuses = new Map<string, number>()
  const count = (kind: string) => statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
  let isOver = false
  const visit = async (): Promise<void> => {
    while (!isOver) {
      const opened = await fetch(page)
      await opened.text()
      count(`page ${opened.status}`)
      const submitted = await fetch(`${proxy.origin}/api/v1/quizzes/${quiz.id}/submit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          participant_uuid: randomUUID(),
          answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: 'a@exemple.fr' },
        }),
      })
      await submitted.text()
      count(`submission ${submitted.status}`)
    }
  }
  const visits = Array.from({ length: VISITORS }, visit)
  const codes: (number | null)[] = []
  for (const [index, process] of [...running].entries()) {
    codes.push(await process.end('SIGTERM'))
    const next = await startProcess(env)
    running[index] = next
    upstreams[index] = next.origin
  }
  isOver = true
  await Promise.all(visits)
  t.diagnostic(JSON.stringify(Object.fromEntries(statuses)))
  assert.deepEqual(codes, [0, 0])
  assert.deepEqual(proxy.failures, [])
  assert.deepEqual([...statuses.keys()].sort(), ['page 200', 'submission 201'])
  const { rows } = await witness.query<{ stored: number; counted: number }>(
    `select count(*)::integer as stored,
      (select sum(nb_responses)::integer from quiz_versions where quiz_id = $1) as counted
    from responses where quiz_id = $1`,
    [quiz.id],
  )
  const acknowledged = statuses.get('submission 201')
  assert.deepEqual(rows[0], { stored: acknowledged, counted: acknowledged })
})
