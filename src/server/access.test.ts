import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ACCESS, accessLine, type Who } from './access.ts'
import { routeUrl } from './http/edge/mount.ts'
import { createBuiltApp } from './testing/app/built-app.ts'
import { contractCalls, goodBodies } from './testing/app/contract-calls.ts'
import {
  addressOf,
  createPerson,
  neededQuery,
  type Person,
  wordsOf,
} from './testing/ownership/person.ts'
import { createDigest } from './testing/ownership/stored-of.ts'
import { forgeTokens } from './testing/people/forged-tokens.ts'

/** Nothing listens there: what would be sent to a vendor goes nowhere. */
const NOWHERE = 'http://127.0.0.1:9'
const app = await createBuiltApp({
  BREVO_API_URL: NOWHERE,
  SYSTEMEIO_API_URL: NOWHERE,
  AUTH_MANUAL_LINKING: 'on',
  AUTH_CORS_ORIGINS: 'https://app.example',
})
after(() => app.close())

let victim: Person
let digest: () => Promise<string>
/** What is stored of the victim before the next call; nothing but the calls of these tests writes. */
let stored = ''
before(async () => {
  victim = await createPerson(app)
  const read = await createDigest(app.db)
  digest = () => read(app.pool, victim.ids)
  await makeTokens()
  stored = await digest()
})

type Attempt = { authorization?: string; query?: string }
const bearer = (token: string): Attempt => ({ authorization: `Bearer ${token}` })
/** What each actor sends with a call; filled before the first test. */
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

const LEAVES = /account\/delete$|logout$|PUT .*user$|recovery-codes/
const newcomer = async (): Promise<string> => (await app.signUp()).access_token

/** The good body of a line of the product API. */
const bodyOf = (route: string): unknown => {
  const [name] =
    contractCalls.find(([, endpoint]) => `${endpoint.method} ${routeUrl(endpoint)}` === route) ?? []
  return name && goodBodies(victim.quiz)[name]
}

const send = (route: string, { authorization, query }: Attempt) => {
  const [method = ''] = route.split(' ')
  const body = method === 'GET' ? undefined : (bodyOf(route) ?? {})
  const needed = neededQuery(route, victim)
  return app.raw({
    method: method as 'GET',
    url: `${addressOf(route, victim)}${needed}${query ? `${needed ? '&' : '?'}${query}` : ''}`,
    headers: {
      ...(authorization !== undefined && { authorization }),
      // As a proxy passes it on: what this machine may read is not for others.
      'x-forwarded-for': '203.0.113.9',
    },
    ...(body !== undefined && { body: body as object }),
  })
}
type Answer = Awaited<ReturnType<typeof send>>

/** What an actor is told who may not call a route of this kind. */
const EXPECTED: Record<Who, (actor: string) => number[] | undefined> = {
  anyone: () => undefined,
  // No secret was shown: refused, or led away from a page.
  link: () => [302, 303, 400, 401, 403, 404, 415, 422],
  operator: () => [404],
  account: (actor) => (actor === 'other user' ? undefined : [401, 403]),
  factor: (actor) => (actor === 'other user' ? [404] : [401, 403]),
  identity: (actor) => (actor === 'other user' ? [404, 422] : [401, 403]),
  service: () => [401, 403],
  creator: (actor) => (actor === 'other user' ? undefined : [401]),
  quiz: (actor) => (actor === 'other user' ? [404] : [401]),
  question: (actor) => (actor === 'other user' ? [404] : [401]),
  result: (actor) => (actor === 'other user' ? [404] : [401]),
  key: (actor) => (actor === 'other user' ? [404] : [401]),
}

const check = async (route: string, who: Who, actor: string): Promise<void> => {
  const tries = attempts[actor]
  assert.ok(tries?.length, actor)
  // Theirs is gone afterwards, which is what they asked for.
  const used = LEAVES.test(route) && actor === 'other user' ? [bearer(await newcomer())] : tries
  const expected = EXPECTED[who](actor)
  for (const attempt of used) {
    const answer: Answer = await send(route, attempt)
    const what = `${JSON.stringify(attempt).slice(0, 60)}: ${answer.statusCode} ${answer.body.slice(0, 200)}`
    if (expected) assert.ok(expected.includes(answer.statusCode), what)
    for (const word of wordsOf(victim))
      assert.ok(!answer.body.includes(word), `${what} says ${word}`)
  }
  const earlier = stored
  stored = await digest()
  assert.equal(stored, earlier, 'nothing of the victim’s was written')
}

/** Calls without a token that change something, as they may: their own tests say what. */
const WRITES_FOR_ANYONE = /^POST .*(?:submit|visite)/

for (const [route, who] of Object.entries(ACCESS).filter(([line]) => !WRITES_FOR_ANYONE.test(line)))
  describe(`${route} (${who})`, () => {
    for (const actor of ACTORS) test(actor, () => check(route, who, actor))
  })

test('every actor has something to send', () =>
  assert.deepEqual(Object.keys(attempts).toSorted(), ACTORS.toSorted()))

test('the victim may call what is theirs all the same', async () => {
  const headers = { authorization: `Bearer ${victim.access_token}` }
  for (const [route, who] of Object.entries(ACCESS)) {
    if (!['quiz', 'creator', 'account'].includes(who) || !route.startsWith('GET ')) continue
    if (/live$|authorize$|reauthenticate$|recovery-codes$/.test(route)) continue
    const url = addressOf(route, victim) + neededQuery(route, victim)
    const { statusCode, body } = await app.raw({ url, headers })
    assert.equal(statusCode, 200, `${route}: ${body}`)
  }
})

describe('the table of access', () => {
  test('names no route that is not registered', () => {
    for (const route of Object.keys(ACCESS)) {
      const [method = '', url = ''] = route.split(' ')
      if (url.endsWith('*') && url !== '/*') continue
      assert.ok(app.app.hasRoute({ method: method as 'GET', url }), route)
    }
  })

  test('names every call of the contract, and asks for a token where the contract does', () => {
    for (const [name, endpoint] of contractCalls) {
      const who = ACCESS[`${endpoint.method} ${routeUrl(endpoint)}`]
      assert.ok(who, name)
      assert.equal(who === 'anyone' || who === 'link', endpoint.access !== 'creator', name)
    }
  })

  test('lets no new route below /api, /auth and /q in by a wildcard', () => {
    for (const url of ['/api/v1/secrets', '/auth/v1/secrets', '/q/:id/secrets', '/api'])
      assert.equal(accessLine('GET', url), undefined)
    assert.equal(accessLine('POST', '/anything'), undefined)
    assert.equal(accessLine('HEAD', '/assets/app.js'), 'GET /*')
  })

  test('leaves no name of an address unfilled', () => {
    for (const route of Object.keys(ACCESS))
      for (const part of addressOf(route, victim).split('/')) assert.doesNotMatch(part, /^:/)
  })
})
