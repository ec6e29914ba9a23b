import assert from 'node:assert/strict'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { type AllowedCaller, accessTableOf } from '#server/http/edge/access.ts'
import { routeUrl } from '#server/http/edge/mount.ts'
import { contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { createTestApp, type TestApp } from '#server/testing/app/test-app.ts'
import { BODIES_WITH_IDS } from './bodies-with-ids.ts'
import { createPerson, fillRoute, listPrivateTexts, type Person } from './person.ts'
import { createRowsDigest } from './rows-digest.ts'

/** Password of accounts made by `signUp`. */
const PASSWORD = 'secret1'
const NOWHERE = 'http://127.0.0.1:9'
/** Routes that are not tested here, because they do not end, call a vendor or answer with the time. */
const EXCLUDED_ROUTES =
  /live$|authorize$|reauthenticate$|convertkit\/connect|\/check$|deliveries\/test$/
/** Routes that delete objects of the caller. They run last, in this order. */
const LAST_ROUTES = [
  /DELETE .*:/,
  /DELETE /,
  /people\/remove/,
  /recovery-codes/,
  /logout/,
  /account\/delete/,
]

/** Valid bodies of auth routes, which are not in the contract. */
const AUTH_BODIES: Record<string, object> = {
  'PUT /auth/v1/user': { data: { ville: 'Lyon' } },
  'POST /auth/v1/factors': { factor_type: 'totp', friendly_name: 'Autre' },
}

const bodyOf = (route: string, { quiz }: Person): unknown => {
  const [name] =
    contractCalls.find(([, endpoint]) => `${endpoint.method} ${routeUrl(endpoint)}` === route) ?? []
  return (name && validBodies(quiz)[name]) ?? AUTH_BODIES[route] ?? {}
}

const send = (app: TestApp, me: Person, method: string, url: string, body?: unknown) =>
  app.raw({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${me.access_token}` },
    ...(body !== undefined && method !== 'GET' && { body: body as object }),
  })

const orderOf = (route: string): number =>
  LAST_ROUTES.findLastIndex((pattern) => pattern.test(route))
/** Returns the routes that require an account, with their callers. */
const listAccountRoutes = ({ app }: TestApp): [route: string, who: AllowedCaller][] =>
  Object.entries(accessTableOf(app))
    .filter(([route]) => !EXCLUDED_ROUTES.test(route))
    .filter(([, who]) => !['anyone', 'optional', 'link', 'operator', 'service'].includes(who))
    .toSorted(([a], [b]) => orderOf(a) - orderOf(b))

/** Returns the answers of all GET routes to a person who reads their own data. */
const readAll = async (app: TestApp, me: Person): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const [route] of listAccountRoutes(app).filter(([line]) => line.startsWith('GET ')))
    found[route] = (await send(app, me, 'GET', fillRoute(route, me))).body.replace(
      /"exported_at":"[^"]*"/,
      '',
    )
  return found
}

/**
 * Proves that two creators on one server are isolated: neither can read, call, name or change objects of the other.
 * Throws at the first violation.
 */
export const proveIsolation = async (): Promise<void> => {
  const app = await createTestApp({
    BREVO_API_URL: NOWHERE,
    SYSTEMEIO_API_URL: NOWHERE,
    AUTH_MANUAL_LINKING: 'on',
  })
  try {
    const accountRoutes = listAccountRoutes(app)
    const me = await createPerson(app)
    const alone = await readAll(app, me)
    const victim = await createPerson(app)
    const read = await createRowsDigest(app.db)
    const theirs = await read(app.pool, victim.ids)
    const check = async (what: string, { body }: { body: string }): Promise<void> => {
      for (const word of listPrivateTexts(victim))
        assert.ok(!body.includes(word), `${what} answers with ${word} of the other creator`)
      assert.ok(
        (await read(app.pool, victim.ids)) === theirs,
        `${what} changed rows of the other creator`,
      )
    }
    const beside = await readAll(app, me)
    for (const route of Object.keys(alone))
      assert.ok(
        beside[route] === alone[route],
        `${route} answers differently if another creator has data`,
      )
    for (const [route, body] of Object.entries(await readAll(app, victim)))
      for (const word of listPrivateTexts(me))
        assert.ok(!body.includes(word), `${route} answers with ${word} of another creator`)

    for (const [route, who] of accountRoutes.filter(([, who]) => who.endsWith('_owner'))) {
      const [method = ''] = route.split(' ')
      const answer = await send(app, me, method, fillRoute(route, victim), bodyOf(route, victim))
      assert.ok([404, 422].includes(answer.statusCode), `${route} (${who}): ${answer.body}`)
      await check(`${route} with ids of the other creator`, answer)
    }
    await mixIds(app, { me, victim }, check)
    for (const [route] of accountRoutes.filter(([line]) => !line.startsWith('GET '))) {
      const [method = ''] = route.split(' ')
      if (route === LOGOUT) await endSessions(app, me, check)
      else {
        const answer = await send(app, me, method, fillRoute(route, me), bodyOf(route, me))
        await check(`${route} with own ids`, answer)
        if (/account\/delete$/.test(route)) assert.equal(answer.statusCode, 204, answer.body)
      }
    }
    assert.ok(await canRead(app, victim), 'the other creator is still signed in')
  } finally {
    await app.close()
  }
}

const LOGOUT = 'POST /auth/v1/logout'
type Check = (what: string, answer: { body: string }) => Promise<void>

/** Signs in again twice: one new session ends itself, the other is ended by the first session, which stays valid. */
const endSessions = async (app: TestApp, me: Person, check: Check): Promise<void> => {
  for (const scope of ['local', 'others']) {
    const url = '/auth/v1/token?grant_type=password'
    const body = { email: me.email, password: PASSWORD }
    const signedIn = await app.raw({ method: 'POST', url, body })
    assert.equal(signedIn.statusCode, 200, signedIn.body)
    await check('signing in', signedIn)
    const { access_token } = signedIn.json<{ access_token: string }>()
    const ending = scope === 'local' ? { ...me, access_token } : me
    await check(
      `${LOGOUT} ${scope}`,
      await send(app, ending, 'POST', `/auth/v1/logout?scope=${scope}`),
    )
  }
  assert.ok(await canRead(app, me), 'the first session is still signed in')
}

const canRead = async (app: TestApp, person: Person): Promise<boolean> =>
  (await send(app, person, 'GET', '/api/v1/quizzes')).statusCode === 200

/** Sends requests with an own quiz in the path and ids of the other creator behind it or in the body. */
const mixIds = async (
  app: TestApp,
  { me, victim }: { me: Person; victim: Person },
  check: Check,
): Promise<void> => {
  const mixed: Person = {
    ...victim,
    quiz: { ...victim.quiz, id: me.quiz.id, question_id: me.quiz.question_id },
  }
  for (const route of Object.keys(accessTableOf(app.app)).filter((line) =>
    /:\w+.*:\w+/.test(line),
  )) {
    if (!/^\w+ \/api\/v1\/(?:quizzes|questions)\/:id/.test(route)) continue
    const [method = ''] = route.split(' ')
    const answer = await send(app, me, method, fillRoute(route, mixed), bodyOf(route, me))
    // A version number belongs to the quiz in the path.
    const expected = route.endsWith(':version') ? 200 : 404
    assert.equal(
      answer.statusCode,
      expected,
      `${route} with an own quiz and an id of the other creator`,
    )
    await check(route, answer)
  }
  // These answers repeat the address of the request, so `check` does not apply.
  const email = victim.participant_email
  const found = await send(app, me, 'POST', `${BASE_PATH}/people/find`, { email })
  const nobody = { email, responses: [], invitations: [], sent_to: { tools: [], nb_webhooks: 0 } }
  assert.deepEqual(found.json(), nobody, 'people are found in own quizzes only')
  const removed = await send(app, me, 'POST', `${BASE_PATH}/people/remove`, { email })
  assert.deepEqual(
    removed.json(),
    { nb_deleted: 0, nb_invitations: 0 },
    'people are deleted from own quizzes only',
  )
  const foreign = [victim.quiz.question_id, victim.quiz.answer_ids[0], victim.quiz.result_ids[0]]
  for (const [name, call] of Object.entries(BODIES_WITH_IDS))
    for (const id of [...foreign, victim.text_block_id]) {
      const { revision } = await me.client.drafts.get({ id: me.quiz.id })
      const { method, path, body } = call(me.quiz, id ?? '', revision)
      const answer = await send(app, me, method, BASE_PATH + path, body)
      assert.equal(
        answer.statusCode,
        422,
        `${name} with an id of the other creator: ${answer.body}`,
      )
      await check(name, answer)
    }
}
