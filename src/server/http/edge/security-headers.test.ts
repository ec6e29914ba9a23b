import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { APP_POLICY } from './security-headers.ts'

const app = await createTestApp()
after(() => app.close())

const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cache-control': 'no-store',
}

describe('the security headers of every response', () => {
  const answers: [name: string, url: string, status: number][] = [
    ['a found address', '/healthz', 200],
    ['a refusal', '/api/v1/quizzes', 401],
    ['a refusal of the auth API', '/auth/v1/user', 401],
    ['the answer to an unknown address', '/nowhere', 404],
    ['the answer to an unreadable address', '/%E0%A4%A', 404],
  ]
  for (const [name, url, status] of answers)
    test(`the strictest headers are set on ${name}`, async () => {
      const { statusCode, headers } = await app.raw({ url })
      assert.equal(statusCode, status)
      for (const [header, value] of Object.entries(HEADERS))
        assert.equal(headers[header], value, header)
      assert.equal(headers['strict-transport-security'], undefined)
      assert.equal(headers['access-control-allow-origin'], undefined)
      assert.equal(headers['x-powered-by'] ?? headers.server, undefined)
    })

  test('the strictest headers are set on the refusal of a body', async () => {
    const { statusCode, headers } = await app.raw({
      method: 'POST',
      url: '/auth/v1/signup',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(statusCode, 400)
    for (const [header, value] of Object.entries(HEADERS)) assert.equal(headers[header], value)
  })
})

test('a response over https tells browsers to use only https', async () => {
  const secure = await createTestApp({ PUBLIC_URL: 'https://quiz.fr' })
  for (const url of ['/healthz', '/nowhere', '/%E0%A4%A']) {
    const { headers } = await secure.raw({ url })
    assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
  }
  await secure.close()
})

test('the application runs only its own files: no inline scripts, no other origins', () => {
  const rules = new Map(APP_POLICY.split('; ').map((rule) => [rule.split(' ')[0], rule]))
  assert.equal(rules.get('default-src'), "default-src 'none'")
  assert.equal(rules.get('script-src'), "script-src 'self'")
  assert.equal(rules.get('connect-src'), "connect-src 'self'")
  assert.equal(rules.get('frame-ancestors'), "frame-ancestors 'none'")
  assert.equal(rules.get('base-uri'), "base-uri 'none'")
  // The policy allows no HTML from text, and the address of one worker.
  assert.equal(rules.get('trusted-types'), 'trusted-types odds-worker people-worker')
  assert.equal(rules.get('require-trusted-types-for'), "require-trusted-types-for 'script'")
  assert.doesNotMatch(APP_POLICY, /unsafe|https?:|\*/)
})
