import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { createPerson, type Person } from '#server/testing/ownership/person.ts'

const METRICS_TOKEN = 'a-token-of-the-operator'
const PUBLIC_URL = 'https://quiz.example'
const app = await createBuiltApp({ PUBLIC_URL, METRICS_TOKEN })
await app.app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())

let me: Person
let link: string
before(async () => {
  me = await createPerson(app)
  const made = await app.raw({
    method: 'POST',
    url: `/api/v1/quizzes/${me.quiz.id}/exports`,
    headers: mine(),
    body: { format: 'csv' },
  })
  link = made.json<{ url: string }>().url
})

const mine = () => ({ authorization: `Bearer ${me.access_token}` })
const json = { 'content-type': 'application/json' }
const quiz = (): string => `/api/v1/quizzes/${me.quiz.id}`
const NOBODY = '33333333-3333-4333-8333-333333333333'

type Kind = 'page' | 'framed' | 'shared' | 'app' | 'docs' | 'data'
type Row = [name: string, kind: Kind, status: number, cache: RegExp, () => InjectOptions]

const NO_STORE = /^no-store$/
const REVALIDATED = /^(?:private, )?no-cache$/
const KEPT = /^public, max-age=\d+(?:, immutable)?$/
/** Only browsers may cache an image, because withdrawing a quiz withdraws its image. */
const OWN = /^private, max-age=\d+, immutable$/

/** Kinds of responses that the server sends. */
const ROWS: Row[] = [
  ['the public page', 'page', 200, REVALIDATED, () => ({ url: `/q/${me.quiz.id}` })],
  ['the page in a frame', 'framed', 200, REVALIDATED, () => ({ url: `/q/${me.quiz.id}?embed=1` })],
  ['a missing page', 'page', 404, NO_STORE, () => ({ url: `/q/${NOBODY}` })],
  ['a missing page in a frame', 'framed', 404, NO_STORE, () => ({ url: `/q/${NOBODY}?embed=1` })],
  ['an image', 'shared', 200, OWN, () => ({ url: `/q/${me.quiz.id}/image-1.png` })],
  ['the script of other sites', 'shared', 200, KEPT, () => ({ url: '/embed.js' })],
  [
    'the end of a run without scripts',
    'data',
    303,
    NO_STORE,
    () => ({ url: `/q/${me.quiz.id}/resultat` }),
  ],
  [
    'a form of another type',
    'page',
    415,
    NO_STORE,
    () => ({ method: 'POST', url: `/q/${me.quiz.id}`, headers: json, payload: '{}' }),
  ],
  [
    'a reported visit',
    'data',
    204,
    NO_STORE,
    () => ({ method: 'POST', url: `/q/${me.quiz.id}/visite/1/0/1` }),
  ],
  ['the application', 'app', 200, REVALIDATED, () => ({ url: '/login' })],
  ['a file of the application', 'app', 200, KEPT, () => ({ url: '/assets/app-1234.js' })],
  ['a missing file', 'data', 404, NO_STORE, () => ({ url: '/assets/nothing.js' })],
  ['a hidden file', 'data', 404, NO_STORE, () => ({ url: '/.git/HEAD' })],
  ['the guide of the API', 'page', 200, /^no-cache$/, () => ({ url: '/docs' })],
  ['the client of the API', 'data', 200, /^no-cache$/, () => ({ url: '/docs/quizaine.ts' })],
  ['the reference of the API', 'docs', 200, NO_STORE, () => ({ url: '/docs/reference/' })],
  [
    'the data of the API reference',
    'docs',
    200,
    /^no-cache$/,
    () => ({ url: '/docs/reference/json' }),
  ],
  ['health', 'data', 200, NO_STORE, () => ({ url: '/healthz' })],
  [
    'metrics',
    'data',
    200,
    NO_STORE,
    () => ({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } }),
  ],
  ['the snapshot', 'data', 200, REVALIDATED, () => ({ url: `${quiz()}/snapshot` })],
  [
    'a snapshot that the client has',
    'data',
    304,
    REVALIDATED,
    () => ({ url: `${quiz()}/snapshot`, headers: { 'if-none-match': '*' } }),
  ],
  ['a call', 'data', 200, NO_STORE, () => ({ url: '/api/v1/quizzes', headers: mine() })],
  [
    'a creation',
    'data',
    201,
    NO_STORE,
    () => ({
      method: 'POST',
      url: '/api/v1/quizzes',
      headers: mine(),
      body: { name: 'x', type: 'quiz' },
    }),
  ],
  ['a call without a token', 'data', 401, NO_STORE, () => ({ url: '/api/v1/quizzes' })],
  ['a call on an unknown route', 'data', 404, NO_STORE, () => ({ url: '/api/v1/nothing' })],
  [
    'a wrong body',
    'data',
    422,
    NO_STORE,
    () => ({ method: 'POST', url: '/api/v1/quizzes', headers: mine(), body: {} }),
  ],
  [
    'an unreadable body',
    'data',
    400,
    NO_STORE,
    () => ({
      method: 'POST',
      url: '/api/v1/quizzes',
      headers: { ...mine(), ...json },
      payload: '{',
    }),
  ],
  [
    'a compressed body',
    'data',
    415,
    NO_STORE,
    () => ({
      method: 'POST',
      url: '/api/v1/quizzes',
      headers: { ...mine(), ...json, 'content-encoding': 'gzip' },
      payload: 'x',
    }),
  ],
  [
    'a body that is too large',
    'data',
    413,
    NO_STORE,
    () => ({
      method: 'POST',
      url: '/auth/v1/signup',
      headers: json,
      payload: ' '.repeat(20_000),
    }),
  ],
  ['an export', 'data', 200, NO_STORE, () => ({ url: link })],
  ['an account', 'data', 200, NO_STORE, () => ({ url: '/api/v1/account/export', headers: mine() })],
  ['an unreadable address', 'data', 404, NO_STORE, () => ({ url: '/%E0%A4%A' })],
  ['a refused method', 'data', 404, NO_STORE, () => ({ method: 'DELETE', url: '/healthz' })],
  ['the settings of the auth API', 'data', 200, NO_STORE, () => ({ url: '/auth/v1/settings' })],
  ['keys of the auth API', 'data', 200, KEPT, () => ({ url: '/auth/v1/.well-known/jwks.json' })],
  ['a refusal of the auth API', 'data', 401, NO_STORE, () => ({ url: '/auth/v1/user' })],
  [
    'a link of a mail',
    'data',
    303,
    NO_STORE,
    () => ({ url: '/auth/v1/verify?token=x&type=signup' }),
  ],
  [
    'the redirect from Kit',
    'data',
    303,
    NO_STORE,
    () => ({ url: '/api/v1/integrations/convertkit/callback' }),
  ],
]

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
}
type Headers = Record<string, unknown>

const policyOf = (headers: Headers): Map<string, string> =>
  new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((rule) => [rule.split(' ')[0] ?? '', rule.split(' ').slice(1).join(' ')]),
  )

const checkPolicy = (kind: Kind, headers: Headers): void => {
  const policy = policyOf(headers)
  assert.equal(policy.get('default-src'), "'none'")
  if (kind === 'data' || kind === 'shared') {
    assert.equal(policy.get('frame-ancestors'), "'none'")
    assert.ok(policy.has('sandbox'))
    return
  }
  for (const rule of ['base-uri', 'object-src'])
    assert.equal(policy.get(rule) ?? policy.get('default-src'), "'none'", rule)
  assert.equal(policy.get('frame-ancestors'), kind === 'framed' ? undefined : "'none'")
  // A framed page names the origin of its own site, because WebKit ignores 'self' in a sandbox.
  const scripts = policy.get('script-src')?.replace(` ${PUBLIC_URL}`, '') ?? ''
  assert.doesNotMatch(scripts, /unsafe|\*|https?:/)
  if (kind !== 'docs') assert.doesNotMatch(policy.get('style-src') ?? '', /unsafe|\*|https?:/)
}

const check = (kind: Kind, headers: Headers, cache: RegExp): void => {
  for (const [name, value] of Object.entries(ALWAYS)) assert.equal(headers[name], value, name)
  assert.match(
    String(headers['referrer-policy']),
    /^(?:no-referrer|strict-origin-when-cross-origin)$/,
  )
  assert.match(String(headers['cache-control']), cache)
  assert.equal(headers['x-frame-options'], kind === 'framed' ? undefined : 'DENY')
  const isShown = kind === 'framed' || kind === 'shared'
  assert.equal(headers['cross-origin-resource-policy'], isShown ? 'cross-origin' : 'same-origin')
  for (const name of ['server', 'x-powered-by', 'set-cookie', 'access-control-allow-origin'])
    assert.equal(headers[name], undefined, name)
  const type = String(headers['content-type'] ?? '')
  if (/^(?:text|application\/json)/.test(type)) assert.match(type, /; charset=utf-8$/)
  checkPolicy(kind, headers)
}

describe('the headers of every kind of answer', () => {
  for (const [name, kind, status, cache, request] of ROWS)
    test(`${name} has the headers of its kind`, async () => {
      const { statusCode, headers, body } = await app.raw(request())
      assert.equal(statusCode, status, body.slice(0, 200))
      check(kind, headers, cache)
    })

  test('an event stream has the headers of its kind', async () => {
    const { port } = app.app.server.address() as AddressInfo
    const asked = get({ port, path: `${quiz()}/responses/live`, headers: mine() })
    const [stream] = (await once(asked, 'response')) as [IncomingMessage]
    assert.match(String(stream.headers['content-type']), /^text\/event-stream/)
    const { 'content-type': _, ...headers } = stream.headers
    check('data', headers, NO_STORE)
    stream.destroy()
  })
})

describe('an unknown address', () => {
  const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const strange = [
    '/foo.php',
    '/.git/HEAD',
    '/auth',
    '/auth/v2/x',

    '/docs/x',
  ]
  const addresses = [...strange, '/%E0%A4', '/%E0%A4%A', '/a%20b', '/été', '//x.example', '/%5Cx']
  for (const url of addresses)
    test(`an unknown address redirects browsers from ${url} to /login`, async () => {
      const { statusCode, headers } = await app.raw({
        url: encodeURI(url).replaceAll('%25', '%'),
        headers: { accept: HTML },
      })
      assert.deepEqual([statusCode, headers.location], [302, '/login'])
      check('data', headers, NO_STORE)
    })

  for (const url of ['/api', '/api/v1/x', '/api/x.php', '/api/%E0%A4'])
    test(`the server answers ${url} with JSON, whatever the caller accepts`, async () => {
      const { statusCode, json } = await app.raw({ url, headers: { accept: HTML } })
      assert.deepEqual([statusCode, json().code], [404, 'not_found'])
    })

  test('a missing script or picture is not answered with a screen', async () => {
    for (const accept of ['*/*', 'image/avif,image/webp,*/*;q=0.8', 'application/json'])
      assert.equal((await app.raw({ url: '/missing.js', headers: { accept } })).statusCode, 404)
  })

  for (const url of ['/auth/v1/x', '/auth/v1', '/auth/v1/x.php', '/auth/v1/%E0%A4'])
    test(`the server refuses ${url} in the error format of the auth service`, async () => {
      for (const accept of [HTML, 'application/json']) {
        const { statusCode, json } = await app.raw({ url, headers: { accept } })
        const { code, error_code, msg } = json()
        assert.deepEqual(
          [statusCode, code, error_code, msg],
          [404, 404, 'not_found', 'There is no such path'],
        )
      }
    })
})
