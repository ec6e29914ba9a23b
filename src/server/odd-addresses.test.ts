import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { after, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { createBuiltApp } from './testing/app/built-app.ts'

// Runs in test:all, because its requests are hostile and many.

/** Methods and paths of the running app, recorded as it registers them. */
const routes = new Set<string>()
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.add(`${each} ${url}`)
  })
})
const app = await createBuiltApp()
after(() => app.close())
const { access_token } = await app.signUp()

/** Parts of a path that no identifier looks like: other scripts, control characters, broken escapes, long ones. */
const ODD_PARTS = [
  ...[
    '%E2%82%AC',
    '%00',
    '%0A',
    '%20',
    '%FF',
    '%E2%82',
    '%',
    '%zz',
    '%2F',
    '%5C',
    '..%2f',
    '%2E%2E',
  ],
  ...[
    '€'.repeat(3),
    '%D8%AF',
    '%F0%9F%98%80',
    '%ED%A0%80',
    '%E2%80%AE',
    '__proto__',
    'constructor',
  ],
  ...[
    'x',
    '-1',
    '1e999',
    "'",
    '"',
    '{}',
    '[]',
    ';',
    '%EF%BB%BF',
    'x'.repeat(199),
    '%E2%82%AC'.repeat(199),
  ],
]

/** In `npm test`, every fourth part. */
const TRIED_PARTS = pickByRun({
  daily: ODD_PARTS.filter((_, rank) => rank % 4 === 0),
  all: ODD_PARTS,
})

test('an address with odd parts is never answered with an error of the server', async () => {
  const failures = new Set<string>()
  for (const route of routes) {
    const [method = '', url = ''] = route.split(' ')
    if (!/[:*]/.test(url) || method === 'HEAD' || method === 'OPTIONS') continue
    for (const part of TRIED_PARTS)
      for (const headers of [{}, { authorization: `Bearer ${access_token}` }]) {
        const path = url.replace(/:\w+|\*/g, part)
        const { statusCode, body } = await app.app.inject({
          method: method as 'GET',
          url: path,
          headers,
        })
        if (statusCode >= 500)
          failures.add(`${route} with ${part}: ${statusCode} ${body.slice(0, 80)}`)
      }
  }
  assert.deepEqual([...failures], [])
})
