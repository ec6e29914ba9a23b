/** Writes docs/openapi.json (API), docs/quiz-export.schema.json (quiz file) and docs/client/quizaine.ts (client). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '#contract/client/openapi.ts'
import { typescriptClient } from '#contract/client/typescript-client.ts'
import { quizFileSchema } from '#contract/quiz-files.ts'

const write = (name: string, text: string): void =>
  writeFileSync(join(import.meta.dirname, '../docs', name), text)
const asJson = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

write('openapi.json', asJson(openApiDocument()))
write('quiz-export.schema.json', asJson(quizFileSchema()))
write('client/quizaine.ts', typescriptClient())
