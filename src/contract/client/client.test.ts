import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { calls } from '#contract/kit/calls.ts'
import { callTable } from '#contract/testing/calls.ts'
import { type Client, RefusedCall, type Send } from './client.ts'
import { createClient } from './full-client.ts'

type Sent = Parameters<Send>[0]

/** Returns a client whose calls all get this answer, and the requests that it sent. */
const clientFor = (status: number, body?: unknown): { client: Client; sent: Sent[] } => {
  const sent: Sent[] = []
  const client = createClient(async (request) => {
    sent.push(request)
    return { status, body }
  })
  return { client, sent }
}

const id = 'Q'

describe('the method and path of each call (product 13.1)', () => {
  for (const [name, call, line] of callTable)
    test(`the call ${name} has its specified method and path (product 13.1)`, async () => {
      const { client, sent } = clientFor(200)
      await call(client)
      assert.deepEqual(
        sent.map(({ method, path }) => `${method} ${path}`),
        [line.replace(' ', ' /api/v1')],
      )
    })

  test('the client has only the calls of the contract', () =>
    assert.deepEqual(
      callTable.map(([name]) => name).sort(),
      Object.entries(calls)
        .flatMap(([group, members]) => Object.keys(members).map((key) => `${group}.${key}`))
        .sort(),
    ))
})

describe('requests of the client', () => {
  test('the client sends the body unchanged, and sends none if the call has none', async () => {
    const { client, sent } = clientFor(200)
    const body = { name: 'Été', bg_color: null }
    await client.quizzes.update({ id, body })
    await client.quizzes.publish({ id })
    assert.deepEqual(sent[0]?.body, body)
    assert.equal(sent[1]?.body, undefined)
  })

  test('input outside the path goes to the query and is encoded, and undefined values are left out', async () => {
    const { client, sent } = clientFor(200)
    await client.statistics.responses({ id, limit: 50, cursor: 'a&b=c d/é' })
    await client.statistics.responses({ id, cursor: undefined })
    await client.publicQuiz.snapshot({ id, preview: '1' })
    assert.deepEqual(
      sent.map(({ path }) => path),
      [
        '/api/v1/quizzes/Q/responses?limit=50&cursor=a%26b%3Dc%20d%2F%C3%A9',
        '/api/v1/quizzes/Q/responses',
        '/api/v1/quizzes/Q/snapshot?preview=1',
      ],
    )
  })

  test('any id is one encoded path segment and is decoded unchanged', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('$&', '$1', '{id}', '{answerId}')),
        async (question, answer) => {
          const { client, sent } = clientFor(204)
          await client.questions.removeAnswer({ id: question, answerId: answer })
          const segments = sent[0]?.path.split('/').map(decodeURIComponent)
          assert.deepEqual(segments, ['', 'api', 'v1', 'questions', question, 'answers', answer])
          assert.doesNotMatch(sent[0]?.path ?? '', /[?#]/)
        },
      ),
    ))
})

/** Returns the error that a refused call throws. */
const refusalOf = async (status: number, body: unknown): Promise<RefusedCall> => {
  const { client } = clientFor(status, body)
  const refusal: unknown = await client.quizzes.publish({ id }).catch((error: unknown) => error)
  assert.ok(refusal instanceof RefusedCall)
  return refusal
}

describe('answers to the client', () => {
  test('the body of any 2xx answer is returned', async () => {
    for (const status of [200, 201]) {
      const { client } = clientFor(status, { quizzes: [] })
      assert.deepEqual(await client.quizzes.list(), { quizzes: [] })
    }
    assert.equal(await clientFor(204, undefined).client.quizzes.remove({ id }), undefined)
  })

  test('a refusal has the server’s message, code and reasons (product 13.5)', async () => {
    const refusal = await refusalOf(422, {
      error: 'Impossible de publier le quiz',
      code: 'not_publishable',
      validation_errors: ['Il faut au moins 2 résultats pour publier le quiz'],
    })
    assert.deepEqual(
      {
        name: refusal.name,
        message: refusal.message,
        status: refusal.status,
        code: refusal.code,
        validation_errors: refusal.validation_errors,
      },
      {
        name: 'RefusedCall',
        message: 'Impossible de publier le quiz',
        status: 422,
        code: 'not_publishable',
        validation_errors: ['Il faut au moins 2 résultats pour publier le quiz'],
      },
    )
  })

  test('a refusal without an error body has the code unknown (product 14.9)', async () => {
    for (const body of [null, undefined, {}, '<html>Bad Gateway</html>', []]) {
      const { status, message, code, validation_errors } = await refusalOf(502, body)
      assert.deepEqual(
        [status, message, code, validation_errors],
        [502, 'Erreur inconnue', 'unknown', []],
      )
    }
  })

  test('every status other than 2xx is a refusal', async () => {
    for (const status of [0, 199, 300, 304, 400, 401, 404, 409, 429, 500, 503])
      assert.equal((await refusalOf(status, null)).status, status)
  })

  test('a network error is passed on unchanged', async () => {
    const lost = new TypeError('Failed to fetch')
    const client = createClient(() => Promise.reject(lost))
    await assert.rejects(client.quizzes.list(), lost)
  })
})
