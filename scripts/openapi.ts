/** Writes docs/openapi.json, the contract as other programs read it, and docs/quiz-export.schema.json, a quiz as a file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '#contract/openapi.ts'
import { quizFileSchema } from '#contract/quiz-file.ts'

const write = (name: string, document: object): void =>
  writeFileSync(
    join(import.meta.dirname, '../docs', name),
    `${JSON.stringify(document, null, 2)}\n`,
  )
write('openapi.json', openApiDocument())
write('quiz-export.schema.json', quizFileSchema())
