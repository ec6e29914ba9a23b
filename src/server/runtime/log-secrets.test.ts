import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import { accessTableOf } from '#server/http/edge/access.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createLog, maskSecrets } from './log.ts'

// Runs in test:all, because it repeats its rule for each tool and event.

let lines = ''
const output = new PassThrough().setEncoding('utf8').on('data', (part: string) => {
  lines += part
})
const log = createLog({ log_level: 'trace' }, { destination: output })
const app = await createBuiltApp({ LOG_REQUESTS: 'on' }, { log })
after(() => app.close())

test('the token of a refused trial link is not logged', async () => {
  const { client } = await app.signUp()
  const [quiz, other] = [await publishedScoreQuiz(client), await publishedScoreQuiz(client)]
  const { url } = await client.trialRuns.link({ id: quiz.id })
  const token = new URL(url).searchParams.get('test') ?? ''
  lines = ''
  const answer = await app.raw({ url: `/q/${other.id}?test=${token}` })
  assert.equal(answer.statusCode, 403)
  assert.match(lines, /"status":403/)
  assert.doesNotMatch(lines, /"level":"(?:warn|error)"/)
  assert.ok(!lines.includes(token))
})

test('no secret in a URL is logged, whatever the route answers', async () => {
  const secret = `secret-${randomUUID()}`
  const query = ['test', 'token', 'token_hash', 'code', 'state', 'access_token', 'numero']
    .map((name) => `${name}=${secret}`)
    .join('&')
  lines = ''
  for (const line of Object.keys(accessTableOf(app.app))) {
    const [method = '', path = ''] = line.split(' ')
    const url = path
      .replaceAll(/:\w+\(.*?\)/g, '1')
      .replace(':id', randomUUID())
      .replaceAll(/:\w+/g, secret)
    await app.raw({ method: method as 'GET', url: `${url}?${query}` })
  }
  assert.match(lines, /"status":404/)
  assert.ok(
    !lines.includes(secret),
    lines.split('\n').find((each) => each.includes(secret)),
  )
})

test('an error that quotes a URL is logged without its secrets', () => {
  lines = ''
  const address = '/q/0/test/s3cret?came=1&test=s3cret&code=s3cret'
  log.error({ err: new Error(`Reply was already sent in "${address}" (GET)`) })
  log.warn(`POST /desinscription/s3cret with Bearer s3cret.s3cret, key qz_s3cret`)
  log.warn('GET https://quiz.example/statistiques/s3cret?x=1#state=1')
  assert.equal(lines.trimEnd().split('\n').length, 3)
  assert.ok(!lines.includes('s3cret'), lines)
})

test('patterns of routes and links for operators are logged unchanged', () => {
  for (const text of [
    '{"route":"/q/:id/test/:token"}',
    '{"link":"http://localhost:3000/auth/v1/verify?token=abc&type=signup"}',
  ])
    assert.equal(maskSecrets(text), text)
})

test('a link for operators is logged, and a secret beside it is not', () => {
  const line =
    '{"url":"/q/0?test=s3cret","link":"http://localhost/verify?token=abc","msg":"?code=s3cret"}'
  assert.equal(maskSecrets(line), line.replaceAll('s3cret', '…'))
})

test('masking of secrets takes time proportional to the length of the line', () => {
  const line = '?/test/a&'.repeat(500_000)
  assert.equal(maskSecrets(line), line.replaceAll('/test/a', '/test/…'))
})

test('one error is logged ten times a second, and the next line states how many were omitted', async (t) => {
  lines = ''
  const { mock: clock } = t.mock.method(performance, 'now', () => 5_000)
  for (let call = 0; call < 1_000; call++) log.error({ err: new Error('full') }, 'request failed')
  log.error('another message')
  for (let call = 0; call < 20; call++) log.info({ call }, 'answered')
  assert.equal(lines.match(/request failed/g)?.length, 10)
  assert.match(lines, /another message/)
  assert.equal(lines.match(/answered/g)?.length, 20)
  clock.mockImplementation(() => 6_000)
  log.error({ err: new Error('full') }, 'request failed')
  assert.match(lines, /"nb_omitted":990/)
})
