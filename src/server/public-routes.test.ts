import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { after, describe, mock, test } from 'node:test'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { testInAll } from '#server/testing/test-in-all.ts'
import { accessTableOf } from './http/edge/access.ts'
import { limitClassOf } from './http/edge/rate-limits.ts'
import { createBuiltApp } from './testing/app/built-app.ts'

/** Routes of the running app, recorded as it registers them. */
const registered: RouteOptions[] = []
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', (route) => {
    registered.push(route)
  })
})
const app = await createBuiltApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' })
after(() => app.close())

/** Reasons why routes without a token need only the general limit of files. */
const CHEAP: [routes: RegExp, reason: string][] = [
  [
    /^GET \/(?:\*|statistiques\/\*|(?:aide|modeles)\/.*|docs.*|assets\/.*|fonts\/.*|[\w.-]+)$/,
    'bytes of the build, from memory or a file',
  ],
  [/^GET \/q\/:id$/, 'a page that is rendered once for all visitors'],
  [/^GET \/images\/:id\/:file$/, 'bytes from memory, or one row by its key'],
  [/ \/auth\/v1\//, 'limits of the auth service for each kind of call (auth/rate-limits.ts)'],
  [
    /^GET \/api\/v1\/quizzes\/:id\/(?:download|documents)$/,
    'a signed link, and places for downloads',
  ],
  [/^GET \/api\/v1\/integrations\/convertkit\/(?:callback|install)$/, 'a redirect without a query'],
]

describe('the routes that answer without a token', () => {
  const routes = registered
    .flatMap(({ method, url, config }) =>
      [method].flat().map((each) => ({ method: each, url, config: config ?? {} })),
    )
    .filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')
    .filter(({ method, url }) => {
      const allowed = accessTableOf(app.app)[`${method} ${url}`] ?? ''
      return ['anyone', 'optional', 'link', 'operator'].includes(allowed)
    })

  test('each has a rate limit, or a reason why the limit of files is enough', () => {
    assert.ok(routes.length > 40, `${routes.length} routes`)
    const unlimited = routes.filter(({ method, url, config }) => {
      const limit = limitClassOf(config)
      if (limit === 'none') return !['/healthz', '/readyz', '/metrics'].includes(url)
      return limit === 'file' && !CHEAP.some(([cheap]) => cheap.test(`${method} ${url}`))
    })
    assert.deepEqual(
      unlimited.map(({ method, url }) => `${method} ${url}`),
      [],
    )
  })

  test('each reason names a route', () => {
    for (const [cheap] of CHEAP)
      assert.ok(
        routes.some(({ method, url }) => cheap.test(`${method} ${url}`)),
        String(cheap),
      )
  })

  testInAll(
    'an address that asks for files and unknown pages without pause is refused',
    async () => {
      // Time is mocked, because the allowance grows while a slow machine makes these calls.
      mock.timers.enable({ apis: ['Date'], now: Date.now() })
      const headers = { 'x-forwarded-for': '203.0.113.77' }
      const paths = ['/docs/reference/json', '/docs/nothing', '/robots.txt']
      let nb_admitted = 0
      for (let call = 0; call < 8_000; call++) {
        const { statusCode } = await app.raw({ url: paths[call % paths.length] ?? '/', headers })
        if (statusCode === 429) break
        nb_admitted++
      }
      mock.timers.reset()
      assert.equal(nb_admitted, 6_000)
    },
  )
})

test('the description of the API is stored bytes with a validator', async () => {
  for (const url of [
    '/docs/reference/json',
    '/docs/reference/yaml',
    '/docs/quiz-export.schema.json',
    '/docs/quizaine.ts',
  ]) {
    const [first, second] = [await app.raw({ url }), await app.raw({ url })]
    const { etag = '' } = first.headers
    assert.deepEqual([first.statusCode, second.headers.etag], [200, etag], url)
    assert.ok(etag, url)
    const unchanged = await app.raw({ url, headers: { 'if-none-match': String(etag) } })
    assert.deepEqual([unchanged.statusCode, unchanged.body], [304, ''])
  }
  const { body } = await app.raw({ url: '/docs/reference/json' })
  assert.equal((JSON.parse(body) as { openapi: string }).openapi.slice(0, 2), '3.')
})
