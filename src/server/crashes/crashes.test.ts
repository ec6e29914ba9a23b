import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { createLog } from '#server/runtime/log.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'

const lines: Record<string, unknown>[] = []
const destination = new Writable({
  write: (chunk, _encoding, done) => {
    lines.push(JSON.parse(String(chunk)))
    done()
  },
})
const app = await createTestApp(
  { RATE_LIMITS: 'on' },
  { log: createLog({ log_level: 'warn' }, { destination }) },
)
after(() => app.close())
const crashLines = () => lines.filter(({ event }) => event === 'screen_crashed')

const CRASH = {
  name: 'TypeError',
  message: 'Cannot read "Réponse de Zoé" of lea@exemple.fr',
  screen: '/quiz/{id}/results',
  position: 'results-page-Bx3_-a.js:1:2345',
  release: 'index-C4.js',
}

const send = async (body: object, access_token?: string) => {
  const { access_token: own } = access_token ? { access_token } : await app.signUp()
  return app.raw({
    method: 'POST',
    url: '/api/v1/crashes',
    headers: { authorization: `Bearer ${own}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
}

test('a reported crash is one line of the log, without anything about a person', async () => {
  const { access_token, user_id } = await app.signUp()
  const { length } = crashLines()
  assert.equal((await send(CRASH, access_token)).statusCode, 204)
  const [line, ...others] = crashLines().slice(length)
  assert.deepEqual(others, [])
  const { name, message, screen, position, release, level } = line ?? {}
  assert.deepEqual(
    { name, message, screen, position, release, level },
    { ...CRASH, message: 'Cannot read "…" of …', level: 'error' },
  )
  assert.ok(!JSON.stringify(line).includes(user_id))
})

test('a report has only the fields of its shape, each with a limit', async () => {
  const { length } = crashLines()
  const { access_token } = await app.signUp()
  for (const [part, status] of [
    [{ answers: ['Oui'] }, 422],
    [{ message: 'a'.repeat(501) }, 422],
    [{ name: 'Marie Dupont' }, 422],
    [{ screen: '/quiz/0b1c' }, 422],
    [{ position: 'https://exemple.fr/a.js:1:2' }, 422],
    [{ release: 'a b' }, 422],
    [{ message: 'a'.repeat(5_000) }, 413],
  ] as const)
    assert.equal(
      (await send({ ...CRASH, ...part }, access_token)).statusCode,
      status,
      JSON.stringify(part).slice(0, 80),
    )
  assert.equal(crashLines().length, length)
})

test('only creators report crashes, and a session ten in a minute', async () => {
  assert.equal((await send(CRASH, 'no-token')).statusCode, 401)
  const { access_token } = await app.signUp()
  const statuses: number[] = []
  for (let count = 0; count < 12; count++)
    statuses.push((await send(CRASH, access_token)).statusCode)
  assert.deepEqual(statuses, [...Array<number>(10).fill(204), 429, 429])
})
