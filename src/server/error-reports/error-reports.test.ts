import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, beforeEach, test } from 'node:test'
import { createLog } from '#server/runtime/log.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createErrorReports } from './error-reports.ts'

type Report = { path: string; headers: IncomingMessage['headers']; body: string }
const reports: Report[] = []
let answer: (response: ServerResponse) => void
const lines: string[] = []
const destination = new Writable({
  write: (chunk, _encoding, done) => {
    lines.push(String(chunk))
    done()
  },
})
beforeEach(() => {
  reports.length = 0
  lines.length = 0
  answer = (response) => response.end('{}')
})

/** Service that takes reports, as GlitchTip and Sentry do. */
const service = createServer(async (request, response) => {
  reports.push({ path: request.url ?? '', headers: request.headers, body: await text(request) })
  answer(response)
}).listen(0, '127.0.0.1')
await once(service, 'listening')
after(() => {
  service.closeAllConnections()
  service.close()
})
const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/api/12/envelope/`
const address = { url, key: 'abc123' }
const create = (options: Partial<Parameters<typeof createErrorReports>[0]> = {}) =>
  createErrorReports({ address, release: 'quizaine@1.2.3', ...options })

const readEvent = ({ body }: Report) => {
  const lines = body.split('\n')
  assert.equal(lines.length, 3)
  return JSON.parse(lines[2] ?? '')
}
const readCounts = async ({ metrics }: ReturnType<typeof create>) => {
  const samples = await Promise.all(metrics.map(({ read }) => read()))
  return Object.fromEntries(
    samples.flat().map(({ labels, value }) => [Object.values(labels ?? {})[0], value]),
  )
}

/** Texts of people that an error may quote. */
const PERSONAL = [
  'Zoé',
  'Lefèvre',
  'zoe@exemple.fr',
  '0612345678',
  'Je dors mal',
  'Réponse secrète',
]

const failWith = (): unknown => {
  const [name, family, email, phone, reply, secret] = PERSONAL
  try {
    JSON.parse(`{"${name}": ${reply}`)
  } catch (error) {
    const cause = Object.assign(
      new Error(`${email} answered ${reply}\n    at ${family} (/srv/src/${name}.ts:1:1)`),
      {
        detail: `Key (email)=(${email})`,
      },
    )
    return Object.assign(
      new TypeError(`${name} ${family} <${email}> ${phone}: ${secret}`, { cause }),
      {
        code: '23505',
        detail: `Key (name)=(${family})`,
        input: reply,
        stack: `TypeError: ${name} ${family} <${email}> ${phone}: ${secret}\n${(error as Error).stack?.split('\n').slice(1).join('\n')}`,
      },
    )
  }
  return undefined
}

test('a report has the class, the code, the places and the sentence of an error, and nothing that a person has typed', async () => {
  const errors = create()
  const id = errors.report([{ err: failWith(), quiz_id: PERSONAL[4] }, 'request failed'])
  await errors.close()
  const [report, ...others] = reports
  assert.ok(report && others.length === 0)
  assert.equal(report.path, '/api/12/envelope/')
  assert.match(String(report.headers['x-sentry-auth']), /sentry_key=abc123$/)
  const event = readEvent(report)
  assert.deepEqual(
    [event.event_id, event.release, event.platform, event.message.formatted],
    [id, 'quizaine@1.2.3', 'node', 'request failed'],
  )
  const [{ type, value, stacktrace }] = event.exception.values
  assert.deepEqual([type, value], ['TypeError', '23505'])
  const innermost = stacktrace.frames.at(-1)
  assert.deepEqual(
    [innermost.filename, innermost.function, innermost.in_app],
    ['src/server/error-reports/error-reports.test.ts', 'failWith', true],
  )
  for (const personal of PERSONAL) assert.ok(!report.body.includes(personal), personal)
})

test('a name, a code or a stack that a person could have chosen is left out', async () => {
  const errors = create()
  const error = Object.assign(new Error('x'), { code: 'Zoé Lefèvre' })
  error.name = 'Zoé'
  error.stack = `Zoé: x\n    at Zoé (/home/zoe/réponse.ts:1:2)\n    at run (/srv/src/server/app.ts:3:4)`
  errors.report([error, 'request failed'])
  await errors.close()
  const [{ type, value, stacktrace }] = readEvent(reports[0] as Report).exception.values
  assert.deepEqual([type, value], ['Error', 'request failed'])
  assert.deepEqual(
    stacktrace.frames.map((frame: { filename: string }) => frame.filename),
    ['src/server/app.ts'],
  )
})

test('an error whose message was replaced after it was thrown keeps its places', async () => {
  const errors = create()
  const error = new Error('first')
  error.message = 'a longer message that the stack does not contain'
  errors.report([{ err: error }, 'request failed'])
  await errors.close()
  const [{ stacktrace }] = readEvent(reports[0] as Report).exception.values
  assert.equal(stacktrace.frames.at(-1).filename, 'src/server/error-reports/error-reports.test.ts')
})

test('a crash of a screen is reported with its screen and script, and without the account and the message', async () => {
  const errors = create()
  const app = await createTestApp(
    {},
    { log: createLog({ log_level: 'error' }, { destination, onError: errors.report }) },
  )
  const { client, user_id, email } = await app.signUp()
  await client.crashes.report({
    body: {
      name: 'TypeError',
      message: `Cannot read « ${PERSONAL[5]} » of ${email}`,
      screen: '/quiz/{id}/results',
      position: 'results-page-Bx3.js:1:2345',
      release: 'index-C4.js',
    },
  })
  await app.close()
  await errors.close()
  const [report] = reports
  assert.ok(report)
  const { platform, tags, exception } = readEvent(report)
  assert.deepEqual(
    [platform, tags],
    ['javascript', { screen: '/quiz/{id}/results', script: 'index-C4.js' }],
  )
  const [frame] = exception.values[0].stacktrace.frames
  assert.deepEqual([frame.filename, frame.lineno, frame.colno], ['results-page-Bx3.js', 1, 2345])
  for (const personal of [...PERSONAL, user_id, email]) assert.ok(!report.body.includes(personal))
})

test('a crash whose position in our sources is known is reported with it', async () => {
  const errors = create()
  const crash = { event: 'screen_crashed', name: 'TypeError', position: 'page-Bx3.js:1:2345' }
  errors.report([{ ...crash, source: 'src/web/app/main.tsx:12:5' }, 'a screen crashed'])
  errors.report([{ ...crash, source: 'src/web/Zoé: 12' }, 'a screen crashed'])
  await errors.close()
  assert.deepEqual(
    reports.map((report) => {
      const [frame] = readEvent(report).exception.values[0].stacktrace.frames
      return [frame.filename, frame.lineno, frame.colno]
    }),
    [
      ['src/web/app/main.tsx', 12, 5],
      ['page-Bx3.js', 1, 2345],
    ],
  )
})

test('an error of one place is reported once a minute, and counted each time', async () => {
  let time = 0
  const errors = create({ now: () => time })
  const failed = [{ err: failWith() }, 'request failed']
  const ids = [errors.report(failed), errors.report(failed)]
  time = 60_000
  ids.push(errors.report(failed))
  await errors.close()
  assert.deepEqual(ids.map(Boolean), [true, false, true])
  assert.equal(reports.length, 2)
  assert.deepEqual(await readCounts(errors), {
    server: 3,
    browser: 0,
    sent: 2,
    failed: 0,
    dropped: 0,
  })
})

test('without an address, errors are counted and nothing is sent', async () => {
  const errors = create({ address: undefined })
  assert.equal(errors.report([{ event: 'screen_crashed' }, 'a screen crashed']), undefined)
  await errors.close()
  assert.deepEqual(reports, [])
  assert.deepEqual(await readCounts(errors), {
    server: 0,
    browser: 1,
    sent: 0,
    failed: 0,
    dropped: 0,
  })
})

test('a service that refuses, redirects or does not answer delays nothing, and is counted', async () => {
  const errors = create()
  answer = (response) => response.writeHead(429).end()
  errors.report(['first'])
  await errors.close()
  answer = (response) => response.writeHead(302, { location: url }).end()
  errors.report(['second'])
  await errors.close()
  assert.equal(reports.length, 2)
  answer = () => undefined
  for (let rank = 0; rank < 30; rank += 1) errors.report([`sentence ${rank}`])
  await errors.close()
  assert.deepEqual(await readCounts(errors), {
    server: 32,
    browser: 0,
    sent: 0,
    failed: 2,
    dropped: 20,
  })
})

test('the line of the log has the id of its report', async () => {
  const errors = create()
  const log = createLog({ log_level: 'info' }, { destination, onError: errors.report })
  log.child({ request_id: 'r1' }).error({ err: new Error('x') }, 'request failed')
  log.error({ err: new Error('x') }, 'request failed')
  log.warn('a warning')
  await errors.close()
  const [first, second, third] = lines.map((line) => JSON.parse(line))
  assert.equal(first.report_id, readEvent(reports[0] as Report).event_id)
  assert.equal(first.request_id, 'r1')
  assert.ok(second.err && third.msg === 'a warning')
  assert.deepEqual([third.report_id, reports.length], [undefined, 2])
})
