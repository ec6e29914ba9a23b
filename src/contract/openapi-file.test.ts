import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openApiDocument } from './client/openapi.ts'
import { typescriptClient } from './client/typescript-client.ts'
import { quizFileSchema } from './quiz-files.ts'

const asJson = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

for (const [name, text] of Object.entries({
  'openapi.json': asJson(openApiDocument()),
  'quiz-export.schema.json': asJson(quizFileSchema()),
  'client/quizaine.ts': typescriptClient(),
}))
  test(`docs/${name} equals the output of the contract`, () => {
    const file = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
    assert.ok(file === text, `docs/${name} is stale: run \`npm run openapi\``)
  })
