import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openApiDocument } from './openapi.ts'

const file = new URL('../../docs/openapi.json', import.meta.url)

test('docs/openapi.json is what the contract says', () => {
  const generated = `${JSON.stringify(openApiDocument(), null, 2)}\n`
  const isCurrent = readFileSync(file, 'utf8') === generated
  assert.ok(isCurrent, 'docs/openapi.json is stale: run `npm run openapi`')
})
