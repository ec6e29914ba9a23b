import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Fastify from 'fastify'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { type AllowedCaller, accessTableOf, recordAccess } from './http/edge/access.ts'
import { routeUrl } from './http/edge/mount.ts'
import { createBuiltApp } from './testing/app/built-app.ts'
import { contractCalls, validBodies } from './testing/app/contract-calls.ts'
import {
  createPerson,
  fillRoute,
  listPrivateTexts,
  type Person,
  requiredQuery,
} from './testing/ownership/person.ts'
import { createRowsDigest } from './testing/ownership/rows-digest.ts'
import { forgeTokens } from './testing/people/forged-tokens.ts'

// Starts early, because its tests take more than 15 s.

/** Address of a closed port, so that calls to vendors reach no one. */
const NOWHERE = 'http://127.0.0.1:9'
const app = await createBuiltApp({
  BREVO_API_URL: NOWHERE,
  SYSTEMEIO_API_URL: NOWHERE,
  AUTH_MANUAL_LINKING: 'on',
  AUTH_CORS_ORIGINS: 'https://app.example',
})
after(() => app.close())
const ACCESS = accessTableOf(app.app)

let victim: Person
let digest: () => Promise<string>
/** Stored rows of the victim before the calls of the next route; only the calls of these tests write. */
let stored = ''
before(async () => {
  victim = await createPerson(app)
  const read = await createRowsDigest(app.db)
  digest = () => read(app.pool, victim.ids)
  await makeTokens()
  stored = await digest()
})

type Attempt = { authorization?: string; query?: string }
const bearer = (token: string): Attempt => ({ authorization: `Bearer ${token}` })
/** Requests of each actor, filled before the first test. */
const attempts: Record<string, Attempt[]> = {}

const makeTokens = async (): Promise<void> => {
  const stranger = await createPerson(app)
  const gone = await app.signUp()
  await app.db.deleteFrom('users').where('id', '=', gone.user_id).execute()
  const signIn = { method: 'POST', url: '/auth/v1/token?grant_type=password' } as const
  const body = { email: victim.email, password: 'secret1' }
  const { refresh_token } = (await app.raw({ ...signIn, body })).json<{ refresh_token: string }>()
  const basic = Buffer.from(`${victim.email}:secret1`).toString('base64')
  const forged = await forgeTokens(
    { db: app.db, secretKey: app.config.secret_key ?? '' },
    { victims: victim.access_token, strangers: stranger.access_token },
  )
  const found: Record<string, Attempt[]> = {
    anonymous: [{}],
    'other user': [bearer(stranger.access_token)],
    garbage: [bearer('x'), bearer('..'), { authorization: 'Bearer' }, { authorization: 'é' }],
    'refresh token as bearer': [bearer(refresh_token)],
    'token in query': ['access_token', 'token', 'apikey'].map((name) => ({
      query: `${name}=${victim.access_token}`,
    })),
    Basic: [{ authorization: `Basic ${basic}` }],
    'deleted user': [bearer(gone.access_token)],
  }
  for (const [name, tokens] of Object.entries(forged)) found[name] = tokens.map(bearer)
  Object.assign(attempts, found)
}

const ACTORS = [
  'anonymous',
  'other user',
  'garbage',
  'alg=none',
  'alg=nOnE',
  'signature removed',
  'altered',
  'foreign sub',
  'default secrets',
  'key confusion',
  'refresh token as bearer',
  'token in query',
  'Basic',
  'expired',
  'wrong aud',
  'no exp',
  'deleted user',
]

/** Callers that `npm test` tries. All others are refused by the same check of their token. */
const DAILY_ACTORS = ['anonymous', 'other user', 'altered', 'expired', 'deleted user']

const LEAVES = /account\/delete$|logout$|PUT .*user$|recovery-codes/
const newcomer = async (): Promise<string> => (await app.signUp()).access_token

/** Returns a valid body for a route of the product API. */
const bodyOf = (route: string): unknown => {
  const [name] =
    contractCalls.find(([, endpoint]) => `${endpoint.method} ${routeUrl(endpoint)}` === route) ?? []
  return name && validBodies(victim.quiz)[name]
}

const send = (route: string, { authorization, query }: Attempt) => {
  const [method = ''] = route.split(' ')
  const body = method === 'GET' ? undefined : (bodyOf(route) ?? {})
  const needed = requiredQuery(route, victim)
  return app.raw({
    method: method as 'GET',
    url: `${fillRoute(route, victim)}${needed}${query ? `${needed ? '&' : '?'}${query}` : ''}`,
    headers: {
      ...(authorization !== undefined && { authorization }),
      // Calls come through a proxy, because routes of operators are open to this machine.
      'x-forwarded-for': '203.0.113.9',
    },
    ...(body !== undefined && { body: body as object }),
  })
}
type Answer = Awaited<ReturnType<typeof send>>

/** Statuses that an actor gets who may not call a route of this kind. */
const EXPECTED: Record<AllowedCaller, (actor: string) => number[] | undefined> = {
  anyone: () => undefined,
  optional: () => undefined,
  // Without the secret a call is refused or redirected.
  link: () => [302, 303, 400, 401, 403, 404, 415, 422],
  operator: () => [404],
  account: (actor) => (actor === 'other user' ? undefined : [401, 403]),
  factor_owner: (actor) => (actor === 'other user' ? [404] : [401, 403]),
  identity_owner: (actor) => (actor === 'other user' ? [404, 422] : [401, 403]),
  service: () => [401, 403],
  creator: (actor) => (actor === 'other user' ? undefined : [401]),
  quiz_owner: (actor) => (actor === 'other user' ? [404] : [401]),
  question_owner: (actor) => (actor === 'other user' ? [404] : [401]),
  result_owner: (actor) => (actor === 'other user' ? [404] : [401]),
  key_owner: (actor) => (actor === 'other user' ? [404] : [401]),
  reply_address_owner: (actor) => (actor === 'other user' ? [404] : [401]),
  folder_owner: (actor) => (actor === 'other user' ? [404] : [401]),
  administrator: () => [404],
}

const check = async (route: string, who: AllowedCaller, actor: string): Promise<void> => {
  const tries = attempts[actor]
  assert.ok(tries?.length, actor)
  // The call deletes what belongs to its caller, so each attempt uses a new user.
  const used = LEAVES.test(route) && actor === 'other user' ? [bearer(await newcomer())] : tries
  const expected = EXPECTED[who](actor)
  for (const attempt of used) {
    const answer: Answer = await send(route, attempt)
    const what = `${JSON.stringify(attempt).slice(0, 60)}: ${answer.statusCode} ${answer.body.slice(0, 200)}`
    if (expected) assert.ok(expected.includes(answer.statusCode), what)
    for (const word of listPrivateTexts(victim))
      assert.ok(!answer.body.includes(word), `${what} says ${word}`)
  }
}

/** Routes that anyone may change something with; their own tests cover them. */
const WRITES_FOR_ANYONE = /^POST .*(?:submit|visite)/

for (const [route, who] of Object.entries(ACCESS).filter(([line]) => !WRITES_FOR_ANYONE.test(line)))
  describe(`the route ${route} (${who})`, () => {
    for (const actor of pickByRun({ daily: DAILY_ACTORS, all: ACTORS }))
      test(`the caller « ${actor} » has no more access to ${route} than the table grants`, () =>
        check(route, who, actor))

    test(`no caller writes to the victim’s rows through ${route}`, async () => {
      const earlier = stored
      stored = await digest()
      assert.equal(stored, earlier)
    })
  })

test('every actor has requests for every route', () =>
  assert.deepEqual(Object.keys(attempts).toSorted(), ACTORS.toSorted()))

test('the owner can call their own routes', async () => {
  const headers = { authorization: `Bearer ${victim.access_token}` }
  for (const [route, who] of Object.entries(ACCESS)) {
    if (!['quiz_owner', 'creator', 'account'].includes(who) || !route.startsWith('GET ')) continue
    if (/live$|authorize$|reauthenticate$|recovery-codes$/.test(route)) continue
    const url = fillRoute(route, victim) + requiredQuery(route, victim)
    const { statusCode, body } = await app.raw({ url, headers })
    assert.equal(statusCode, 200, `${route}: ${body}`)
  }
})

/** Owner that the noun before the first id of a path stands for. */
const OWNER_BY_NOUN: Record<string, AllowedCaller> = {
  '/quizzes': 'quiz_owner',
  '/quiz': 'quiz_owner',
  '/questions': 'question_owner',
  '/results': 'result_owner',
  '/account/keys': 'key_owner',
  '/account/reply-addresses': 'reply_address_owner',
  '/folders': 'folder_owner',
}

describe('the table of access', () => {
  test('the table of access lists all calls of the contract with the access that they declare', () => {
    for (const [name, endpoint] of contractCalls)
      assert.equal(ACCESS[`${endpoint.method} ${routeUrl(endpoint)}`], endpoint.access, name)
  })

  test('a call of creators with an id in its path admits only the owner of the object', () => {
    for (const [name, { access, path }] of contractCalls) {
      if (['anyone', 'optional', 'link'].includes(access)) continue
      if (path.startsWith('/admin/')) {
        assert.equal(access, 'administrator', name)
        continue
      }
      const [noun = '', id] = path.split('/{')
      assert.equal(access, id === undefined ? 'creator' : OWNER_BY_NOUN[noun], name)
    }
  })

  test('only calls of visitors admit callers without a token', () => {
    const open = contractCalls.filter(([, { access }]) =>
      ['anyone', 'optional', 'link'].includes(access),
    )
    assert.deepEqual(
      open.map(([name, { access }]) => `${name} ${access}`),
      [
        'publicQuiz.snapshot optional',
        'publicQuiz.submit anyone',
        'trialRuns.submit link',
        'sharedStatistics.get link',
        'invitedRuns.submit link',
        'invitedRuns.visit link',
        'invitedRuns.resume link',
      ],
    )
  })

  test('a server with a route that declares no access does not start', async () => {
    const server = Fastify()
    recordAccess(server)
    server.get('/open', { config: { access: 'anyone' } }, async () => 'open')
    server.get('/forgotten', async () => 'forgotten')
    await assert.rejects(
      async () => server.ready(),
      /GET \/forgotten does not declare who may call it/,
    )
  })

  test('the table of access fills every parameter of an address', () => {
    for (const route of Object.keys(ACCESS))
      for (const part of fillRoute(route, victim).split('/')) assert.doesNotMatch(part, /^:/)
  })
})
