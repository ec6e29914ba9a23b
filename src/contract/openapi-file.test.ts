import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openApiDocument } from './openapi.ts'
import { quizFileSchema } from './quiz-file.ts'

for (const [name, document] of Object.entries({
  'openapi.json': openApiDocument(),
  'quiz-export.schema.json': quizFileSchema(),
}))
  test(`docs/${name} is what the contract says`, () => {
    const file = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
    const isCurrent = file === `${JSON.stringify(document, null, 2)}\n`
    assert.ok(isCurrent, `docs/${name} is stale: run \`npm run openapi\``)
  })
