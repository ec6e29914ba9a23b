import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openApiDocument } from './openapi.ts'

const file = new URL('../../docs/openapi.json', import.meta.url)

test('docs/openapi.json is what the contract says: `npm run openapi` writes it', () => {
  const written: unknown = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual(written, JSON.parse(JSON.stringify(openApiDocument())))
})
