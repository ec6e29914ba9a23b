import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { openApiDocument } from '#contract/client/openapi.ts'
import { quizFileSchema } from '#contract/quiz-files.ts'
import { setSecurityHeaders } from '#server/http/edge/fast-path.ts'
import { serveDocs } from './api-docs.routes.ts'

const app = Fastify()
setSecurityHeaders(app, 'http://localhost:3000')
serveDocs(app)
after(() => app.close())

test('the reference page loads only its own files, and its policy allows them', async () => {
  const { statusCode, headers, body } = await app.inject({ url: '/docs/reference' })
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-type']), /^text\/html/)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'; /)
  assert.doesNotMatch(policy, /https?:|upgrade-insecure-requests|sandbox/)
  assert.deepEqual(policy.match(/[^;]*'unsafe[^;]*/g), [" style-src 'self' 'unsafe-inline'"])
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.doesNotMatch(body, /<script(?! src=)|<style| on\w+=/)

  const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => String(file))
  assert.ok(files.some((file) => file.endsWith('.js')))
  assert.ok(files.some((file) => file.endsWith('.css')))
  for (const url of files) {
    assert.match(url, /^\/docs\/reference\/static\//)
    assert.equal((await app.inject({ url })).statusCode, 200, url)
  }
})

test('the schema of quiz files is served', async () => {
  const { statusCode, headers, body } = await app.inject({ url: '/docs/quiz-export.schema.json' })
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-type']), /^application\/schema\+json/)
  assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(quizFileSchema())))
})

test('the reference shows the contract', async () => {
  const { body } = await app.inject({ url: '/docs/reference/json' })
  assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(openApiDocument())))
})
