import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import type { Field, Fields } from '#domain/questionnaire/fields/field.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import {
  ACCESS_FIELDS,
  COLOR_FIELDS,
  CONSENT_FIELDS,
  HEAD_FIELDS,
  TIE_FIELDS,
} from '#domain/questionnaire/fields/quiz-fields.ts'
import {
  ANSWER_FIELDS,
  DIMENSION_FIELDS,
  QUESTION_FIELDS,
  RESULT_FIELDS,
  TEXT_BLOCK_FIELDS,
  TEXT_VARIANT_FIELDS,
} from '#domain/questionnaire/fields/row-fields.ts'
import { createEmptyDatabases } from '#server/testing/app/empty-databases.ts'
import { migrate } from './migrate.ts'

const QUIZ: Fields = {
  ...HEAD_FIELDS,
  ...COLOR_FIELDS,
  ...PAGE_FIELDS,
  ...TIE_FIELDS,
  ...CONSENT_FIELDS,
  ...ACCESS_FIELDS,
}
const TABLES: Record<string, Fields> = {
  all_quizzes: QUIZ,
  questions: QUESTION_FIELDS,
  answers: ANSWER_FIELDS,
  results: RESULT_FIELDS,
  dimensions: DIMENSION_FIELDS,
  text_variants: TEXT_VARIANT_FIELDS,
  text_blocks: TEXT_BLOCK_FIELDS,
}

/** Returns the types of PostgreSQL that can hold a field. */
const typesOf = (field: Field): string[] => {
  switch (field.kind) {
    case 'flag':
      return ['boolean']
    case 'list':
      return typeof field.values[0] === 'number' ? ['smallint', 'integer'] : ['text']
    case 'number':
      return ['smallint', 'integer']
    case 'moment':
      return ['timestamp with time zone']
    case 'image':
    case 'id':
      return ['uuid']
    case 'parameters':
      return ['ARRAY']
    case 'tiers':
    case 'conditions':
      return ['jsonb']
    default:
      return ['text']
  }
}

const databases = await createEmptyDatabases()
let client: pg.Client
before(async () => {
  const empty = await databases.newDatabase()
  await migrate(empty.connection)
  client = empty.client
})
after(databases.cleanUp)

test('every field of a record has a column with its type, that is null if the field can be empty', async () => {
  const { rows } = await client.query<{ at: string; data_type: string; is_nullable: string }>(`
    select table_name || '.' || column_name as at, data_type, is_nullable
    from information_schema.columns where table_schema = current_schema()`)
  const columns = new Map(rows.map(({ at, ...column }) => [at, column]))
  for (const [table, fields] of Object.entries(TABLES))
    for (const [name, field] of Object.entries(fields)) {
      const column = columns.get(`${table}.${name}`)
      assert.ok(column, `${table}.${name} has no column`)
      assert.ok(
        typesOf(field).includes(column.data_type),
        `${table}.${name} is ${column.data_type}, not ${typesOf(field)}`,
      )
      const isNullable = field.default === null || (field.kind === 'number' && field.is_nullable)
      assert.equal(column.is_nullable, isNullable ? 'YES' : 'NO', `${table}.${name} can be null`)
    }
})

test('a column of a quiz or of a question has the default of its record', async () => {
  const { rows } = await client.query<{ at: string; column_default: string | null }>(`
    select table_name || '.' || column_name as at, column_default
    from information_schema.columns where table_schema = current_schema()`)
  const defaults = new Map(rows.map(({ at, column_default }) => [at, column_default]))
  // A quiz that a call creates asks for no consent, and a text without « Accord » asks for it (ADR 018).
  for (const [table, { name, type, text, consent_mode, ...fields }] of Object.entries(TABLES).slice(
    0,
    2,
  ))
    for (const [field_name, field] of Object.entries(fields)) {
      const expression = defaults.get(`${table}.${field_name}`) ?? 'null'
      const { rows: values } = await client.query<{ value: unknown[] }>(
        `select jsonb_build_array(${expression}) as value`,
      )
      assert.deepEqual(values[0]?.value, [field.default], `${table}.${field_name}`)
    }
})
