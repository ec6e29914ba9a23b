import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { clientOf } from '../../scripts/http-client.ts'
import { DEMO, signIn } from '../../scripts/seed/creator.ts'

/** `npm run seed` against a running server. */

const run = promisify(execFile)
// Node warns about contradictory colour settings on the error output.
const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env
const seed = async (address: string) => run(process.execPath, ['scripts/seed.ts', address], { env })

test('the seed command loads four questionnaires with forty participants each, and a second run adds nothing', {
  tag: '@rare',
}, async ({ baseURL }) => {
  const origin = String(baseURL)
  const first = await seed(origin)
  expect(first.stdout).toContain(`as ${DEMO.email}, password ${DEMO.password}`)

  const client = clientOf(origin, await signIn(origin))
  const { quizzes } = await client.quizzes.list()
  expect(quizzes.map(({ type }) => type).sort()).toEqual(['quiz', 'quiz', 'quiz', 'sondage'])
  expect(quizzes.map(({ status, nb_responses }) => [status, nb_responses])).toEqual(
    Array(4).fill(['Publié', 40]),
  )
  for (const { id, type } of quizzes) {
    const { details } = await client.statistics.responses({ id })
    const results = new Set(details.map(({ final_result_name }) => final_result_name))
    expect(results.size).toBe(type === 'sondage' ? 1 : 3)
    if (type === 'quiz') expect(new Set(details.map(({ email }) => email)).size).toBe(40)
  }

  const second = await seed(origin)
  expect(second.stdout.match(/already there, with 40 participants/g)).toHaveLength(4)
  expect((await client.quizzes.list()).quizzes).toEqual(quizzes)
})

test('the seed command says in one line that no server answers', { tag: '@rare' }, async () => {
  const refused = await seed('http://localhost:9').catch((error: unknown) => error)
  expect(refused).toMatchObject({
    code: 1,
    stderr: 'No server answers on http://localhost:9: run npm start first.\n',
  })
})
