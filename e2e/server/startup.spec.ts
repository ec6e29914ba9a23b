import { readFileSync } from 'node:fs'
import { clientOf } from '../../scripts/http-client.ts'
import { findRunning } from '../../src/server/db/embedded/postgres-process.ts'
import { freePort } from '../../src/server/testing/network/proxies/free-port.ts'
import { expect, test, waitUntilReady } from '../support/server-process.ts'

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string }

/** The server of `npm start` with a new data folder and port. */

test('the server starts, keeps its data after a stop and a kill, and refuses a second process and a port in use', async ({
  run,
  DATA_DIR,
  baseURL,
}) => {
  const PORT = String(await freePort())
  const origin = `http://localhost:${PORT}`
  const first = run({ PORT })
  await waitUntilReady(first)
  // Printed after the line that the server is ready.
  await expect.poll(() => first.readOutput()).toContain('npm run seed')
  expect(first.readOutput()).toContain(`Quizaine ${version} is ready on ${origin}`)
  const signedUp = await fetch(`${origin}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'camille@exemple.fr', password: 'un mot de passe' }),
  })
  const { access_token } = (await signedUp.json()) as { access_token: string }
  const client = clientOf(origin, access_token)
  await client.quizzes.create({ body: { name: 'Gardé', type: 'quiz' } })

  const second = run({ PORT: String(await freePort()) })
  expect(await second.exit).toEqual([1, null])
  expect(second.readOutput()).toMatch(/^Another Quizaine is running on [^\n]+\n$/)

  first.child.kill('SIGTERM')
  expect(await first.exit).toEqual([0, null])

  const refused = run({ PORT: new URL(String(baseURL)).port })
  expect(await refused.exit).toEqual([1, null])
  expect(refused.readOutput()).toMatch(/^PORT: \d+ is in use on 127\.0\.0\.1: [^\n]+\n$/)
  expect(findRunning(DATA_DIR)).toBeUndefined()

  const again = run({ PORT })
  await waitUntilReady(again)
  await client.quizzes.create({ body: { name: 'Gardé aussi', type: 'quiz' } })
  again.child.kill('SIGKILL')
  await again.exit

  const last = run({ PORT })
  await waitUntilReady(last)
  const names = (await client.quizzes.list()).quizzes.map(({ name }) => name)
  expect(names).toEqual(['Gardé aussi', 'Gardé'])
  last.child.kill('SIGTERM')
  expect(await last.exit).toEqual([0, null])
})

test('the server reports each configuration error in one line', { tag: '@rare' }, async ({
  run,
}) => {
  const { exit, readOutput } = run({ PORT: 'http', LOG_LEVEL: 'loud' })
  expect(await exit).toEqual([1, null])
  expect(readOutput().trim().split('\n')).toEqual([
    expect.stringMatching(/^PORT: /),
    expect.stringMatching(/^LOG_LEVEL: /),
  ])
})
