import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { openApiDocument } from '#contract/client/openapi.ts'
import { type Endpoint, isForCreators, keyScopeOf } from '#contract/kit/endpoint.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import type { KeyScope } from '#domain/accounts/api-key.ts'
import { routeUrl } from '#server/http/edge/mount.ts'
import { contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import {
  createPerson,
  fillRoute,
  type Person,
  requiredQuery,
} from '#server/testing/ownership/person.ts'
import { createRowsDigest } from '#server/testing/ownership/rows-digest.ts'

// Runs in test:all, because it repeats its rule for every call of the contract.

/** Address without a listener for calls to vendors. */
const NOWHERE = 'http://127.0.0.1:9'
const app = await createTestApp({ BREVO_API_URL: NOWHERE, SYSTEMEIO_API_URL: NOWHERE })
after(() => app.close())
const read = await createRowsDigest(app.db)

/** Calls that no key can make: accounts, keys, secrets such as a link that would outlive the key, and reports of browsers. */
const CLOSED = [
  'account.exportData',
  'account.remove',
  'account.sessions',
  'admin.accounts',
  'admin.disable',
  'admin.enable',
  'admin.invite',
  'admin.overview',
  'admin.remove',
  'admin.setSignUp',
  'admin.storage',
  'apiKeys.create',
  'apiKeys.list',
  'apiKeys.revoke',
  'automations.brevoLabels',
  'automations.kitLabels',
  'automations.systemioLabels',
  'crashes.report',
  'evidence.create',
  'evidence.get',
  'evidence.link',
  'evidence.remove',
  'evidence.setActions',
  'fieldMappings.brevoFields',
  'fieldMappings.kitFields',
  'fieldMappings.systemioFields',
  'integrations.checkBrevo',
  'integrations.checkKit',
  'integrations.checkSystemio',
  'integrations.connectKit',
  'integrations.disconnectKit',
  'integrations.removeBrevo',
  'integrations.removeSystemio',
  'integrations.saveBrevo',
  'integrations.saveSystemio',
  'mailSender.addAddress',
  'mailSender.confirmAddress',
  'mailSender.get',
  'mailSender.removeAddress',
  'mailSender.set',
  'preferences.get',
  'preferences.set',
  'statisticsLinks.create',
  'statisticsLinks.get',
  'statisticsLinks.revoke',
  'webhooks.add',
  'webhooks.rotate',
  'webhooks.update',
]
/** Calls that only read although they use POST. */
const READS = ['documents.link', 'exports.link', 'participants.ofPerson', 'progress.people']

const ofCreators = contractCalls.filter(
  ([, { access }]) => access !== 'anyone' && access !== 'link',
)
const namesWhere = (isSo: (endpoint: Endpoint) => boolean): string[] =>
  ofCreators
    .filter(([, endpoint]) => isSo(endpoint))
    .map(([name]) => name)
    .sort()

describe('the scopes of API keys in the contract', () => {
  test('API keys can make every call except those on accounts, keys and secrets', () =>
    assert.deepEqual(
      namesWhere((endpoint) => keyScopeOf(endpoint) === undefined),
      CLOSED,
    ))

  test('the scope `lecture` allows reads, and `écriture` allows writes', () => {
    const isGet = ({ method }: Endpoint) => method === 'GET'
    assert.deepEqual(
      namesWhere((call) => keyScopeOf(call) === 'lecture' && !isGet(call)),
      READS,
    )
    assert.deepEqual(
      namesWhere((call) => keyScopeOf(call) === 'écriture' && isGet(call)),
      [],
    )
  })

  test('no call that is open to keys takes or returns a secret', () => {
    const SECRET = /"(?:\w*secret|api_key|password|\w*token)":/
    for (const [name, endpoint] of ofCreators.filter(([, call]) => keyScopeOf(call)))
      for (const shape of [endpoint.body, endpoint.answer])
        if (shape)
          assert.doesNotMatch(
            JSON.stringify(z.toJSONSchema(shape, { unrepresentable: 'any', io: 'input' })),
            SECRET,
            name,
          )
  })

  test('the API reference states the scope of each call', () => {
    const { paths } = openApiDocument() as {
      paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>
    }
    for (const [name, endpoint] of contractCalls) {
      const operation = paths[BASE_PATH + endpoint.path]?.[endpoint.method.toLowerCase()]
      const [said] = operation?.security.flatMap((scheme) => scheme.api_key ?? []) ?? []
      assert.equal(said, isForCreators(endpoint.access) ? keyScopeOf(endpoint) : undefined, name)
    }
  })
})

let victim: Person
let stranger: SignedUp
const keys: Record<'read' | 'write' | 'revoked' | 'expired' | 'foreign', string> = {
  read: '',
  write: '',
  revoked: '',
  expired: '',
  foreign: '',
}
const makeKey = async ({ client }: SignedUp, scope: KeyScope) => {
  const body = { name: scope, scope, expires_in_days: 30 as const }
  const { key, secret } = await client.apiKeys.create({ body })
  return { id: key.id, secret }
}
before(async () => {
  victim = await createPerson(app)
  stranger = await app.signUp()
  keys.read = (await makeKey(victim, 'lecture')).secret
  keys.write = (await makeKey(victim, 'écriture')).secret
  keys.foreign = (await makeKey(stranger, 'écriture')).secret
  const [revoked, expired] = [await makeKey(victim, 'écriture'), await makeKey(victim, 'écriture')]
  keys.revoked = revoked.secret
  await victim.client.apiKeys.revoke({ id: revoked.id })
  keys.expired = expired.secret
  await app.db
    .updateTable('api_keys')
    .set({ expires_at: new Date() })
    .where('id', '=', expired.id)
    .execute()
})

const send = async (name: string, endpoint: Endpoint, key: string | undefined) => {
  const { method } = endpoint
  const body = validBodies(victim.quiz)[name]
  const route = `${method} ${routeUrl(endpoint)}`
  const query = name === 'publicQuiz.snapshot' ? '?preview=1' : requiredQuery(route, victim)
  const reply = await app.raw({
    method,
    url: fillRoute(route, victim) + query,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    ...(method !== 'GET' && body !== undefined && { body: body as object }),
  })
  const { code } = reply.statusCode < 300 ? { code: undefined } : reply.json<{ code: string }>()
  return { status: reply.statusCode, code, body: reply.body }
}

type Refusal = [status: number, code: string]
const UNAUTHORIZED: Refusal = [401, 'unauthorized']
const NOT_FOR_KEYS: Refusal = [403, 'not_for_keys']
const TOO_SMALL: Refusal = [403, 'scope_too_small']
const NOT_FOUND: Refusal = [404, 'not_found']

const OF_ONE = ['quiz_owner', 'question_owner', 'result_owner', 'key_owner', 'reply_address_owner']

/** Returns the expected refusal of each caller; undefined if the call is allowed. */
const expectedOf = (endpoint: Endpoint): Record<string, Refusal | undefined> => {
  if (endpoint.access === 'administrator')
    return Object.fromEntries(['nobody', ...Object.keys(keys)].map((who) => [who, NOT_FOUND]))
  const scope = keyScopeOf(endpoint)
  const isOfOne = OF_ONE.includes(endpoint.access)
  const readers = scope === 'lecture' ? undefined : TOO_SMALL
  return {
    nobody: endpoint.access === 'optional' ? undefined : UNAUTHORIZED,
    revoked: [401, 'unknown_key'],
    expired: [401, 'expired_key'],
    read: scope ? readers : NOT_FOR_KEYS,
    foreign: scope ? (isOfOne && NOT_FOUND) || undefined : NOT_FOR_KEYS,
    write: scope ? undefined : NOT_FOR_KEYS,
  }
}

/** Returns the order of a call; deletions come last, because other calls need the objects. */
const turnOf = ([name]: [string, Endpoint]): number =>
  [
    ...['campaigns.remove', 'questions.remove', 'results.remove'],
    ...['participants.removePerson', 'quizzes.remove'],
  ].indexOf(name)
const inTurn = ofCreators.toSorted((a, b) => turnOf(a) - turnOf(b))

test('a key reads only the host of a webhook’s address, and a session reads the whole address', async () => {
  const host = 'http://127.0.0.1:9999/'
  const address = host + victim.webhook_id
  await app.db
    .updateTable('erasures')
    .set({ provider: 'webhook', connection_id: victim.webhook_id, kind: 'event' })
    .where('id', '=', victim.erasure_id)
    .execute()
  const shown: string[] = []
  for (const [name, endpoint] of ofCreators.filter(([, call]) => keyScopeOf(call) === 'lecture')) {
    const whole = await send(name, endpoint, victim.access_token)
    const masked = await send(name, endpoint, keys.read)
    const written = await send(name, endpoint, keys.write)
    for (const { body } of [masked, written]) assert.ok(!body.includes(address), name)
    if (!whole.body.includes(address)) continue
    assert.ok(masked.body.includes(`${host}…`), name)
    shown.push(name)
  }
  assert.deepEqual(shown.sort(), [
    'deliveries.list',
    'erasures.list',
    'participants.explain',
    'trialRuns.get',
    'webhooks.list',
  ])
})

describe('each call of the contract with each kind of key', () => {
  for (const [name, endpoint] of inTurn)
    test(`the call ${name} accepts and refuses each kind of key as declared`, async () => {
      /** Rows of the victim after the last refusal; undefined after a call that may write. */
      let stored: string | undefined
      for (const [who, expected] of Object.entries(expectedOf(endpoint))) {
        // An allowed call must not be refused because of its key, but can fail for another reason.
        const isRefused = expected !== undefined
        const before = isRefused ? (stored ?? (await read(app.pool, victim.ids))) : ''
        stored = undefined
        const key = who === 'nobody' ? undefined : keys[who as keyof typeof keys]
        const { status, code, body } = await send(name, endpoint, key)
        if (isRefused) {
          assert.deepEqual([status, code], expected, `${who}: ${body}`)
          stored = await read(app.pool, victim.ids)
          assert.equal(stored, before, `${who} wrote`)
          continue
        }
        assert.ok(![401, 403].includes(status) && status < 500, `${who}: ${status} ${body}`)
        // The victim has no earlier campaign to compare with.
        const expected_status = name === 'progress.people' ? 404 : 200
        if (who === 'read') assert.equal(status, expected_status, body)
      }
    })
})

describe('routes outside the contract', () => {
  test('the account routes refuse API keys', async () => {
    for (const [method, path] of [
      ['GET', 'user'],
      ['PUT', 'user'],
      ['POST', 'logout'],
      ['POST', 'factors'],
      ['GET', 'admin/users'],
    ] as const) {
      const headers = { authorization: `Bearer ${keys.write}` }
      const body = method === 'GET' ? {} : { body: { data: { ville: 'Lyon' } } }
      const reply = await app.raw({ method, url: `/auth/v1/${path}`, headers, ...body })
      assert.ok([401, 403].includes(reply.statusCode), `${path}: ${reply.statusCode}`)
    }
  })

  test('routes without a scope refuse API keys', async () => {
    const url = `/api/v1/quizzes/${victim.quiz.id}/responses/live`
    const reply = await app.raw({ url, headers: { authorization: `Bearer ${keys.foreign}` } })
    assert.deepEqual([reply.statusCode, reply.json().code], NOT_FOR_KEYS)
  })
})
