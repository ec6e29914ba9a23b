import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { type Endpoint, MAX_CALL_BODY_BYTES } from '#contract/kit/endpoint.ts'
import { MAX_CONTENT_BYTES } from '#server/quiz-files/parsing/measure-json.ts'
import { bodySchemaOf, type FillText, generate } from './largest-input.ts'
import type { SampleQuiz } from './sample-quizzes.ts'

type Row = Record<string, unknown>
const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns `largest` with its texts, and with the other values of `valid`. Rows of a list keep their ids, because ids of one
 * list differ.
 */
const mixed = (largest: unknown, valid: unknown, texts: ReadonlySet<unknown>): unknown => {
  if (Array.isArray(largest)) {
    const [sample] = Array.isArray(valid) ? valid : []
    return largest.map((item) => {
      const row = mixed(item, sample, texts)
      return isRow(row) && isRow(item) && 'id' in item && !texts.has(item.id)
        ? { ...row, id: item.id }
        : row
    })
  }
  if (!isRow(largest)) return texts.has(largest) ? largest : (valid ?? largest)
  const base = isRow(valid) ? valid : {}
  const isMap = isRow(valid) && !Object.keys(valid).some((key) => key in largest)
  if (isMap) return valid
  return Object.fromEntries(
    Object.entries(largest)
      // A reference to a row that does not exist would be refused before the texts are read.
      .filter(([key]) => !key.endsWith('_id') || base[key] !== undefined)
      .map(([key, member]) => [key, mixed(member, base[key], texts)]),
  )
}

/** Replaces the value at `path` by that of `valid`, or removes it. */
export const restoreValue = (
  value: unknown,
  valid: unknown,
  path: readonly PropertyKey[],
): void => {
  let parent = value as Row
  let sample = valid as Row | undefined
  for (const key of path.slice(0, -1)) {
    const next = parent[String(key)]
    if (typeof next !== 'object' || next === null) return
    parent = next as Row
    sample = sample?.[typeof key === 'number' ? '0' : String(key)] as Row | undefined
  }
  const key = String(path.at(-1))
  const replacement = sample?.[key]
  if (replacement !== undefined) parent[key] = replacement
  else if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}

const MAX_REPAIRS = 4

/** Replaces the values that the shape of the call refuses, such as letters in place of an address. */
const repaired = (shape: z.ZodType, value: unknown, valid: unknown): unknown => {
  for (let repair = 0; repair < MAX_REPAIRS; repair++) {
    const { error } = shape.safeParse(value)
    if (!error) break
    for (const { path } of error.issues) if (path.length > 0) restoreValue(value, valid, path)
  }
  return value
}

/** Puts ids of the rows of a body into the rows that refer to them. */
const withReferences = (body: Row): Row => {
  const rows = (key: string) => (body[key] ?? []) as Row[]
  const idAt = (key: string, rank: number) => rows(key)[rank % rows(key).length]?.id
  for (const [rank, answer] of rows('answers').entries())
    answer.question_id = idAt('questions', rank)
  for (const [rank, association] of rows('associations').entries()) {
    association.answer_id = idAt('answers', rank)
    association.result_id = idAt('results', Math.floor(rank / rows('answers').length))
  }
  for (const [rank, variant] of rows('text_variants').entries()) {
    variant.result_id = idAt('results', rank)
    variant.conditions = []
  }
  return body
}

/** Puts existing ids into a body, so that the product does not refuse it at the first look-up. */
const withExistingIds = (name: string, value: unknown, quiz: SampleQuiz): unknown => {
  if (!isRow(value)) return value
  const rows = (key: string) => (value[key] ?? []) as Row[]
  if (name === 'drafts.save') return { ...withReferences(value), removed: [] }
  if (name === 'quizFiles.read') {
    for (const key of ['results', 'questions', 'dimensions'])
      for (const [rank, row] of rows(key).entries()) row.id = `${key}-${rank}`
    for (const [rank, dimension] of rows('dimensions').entries())
      for (const [place, tier] of ((dimension.tiers ?? []) as Row[]).entries())
        tier.id = `tiers-${rank}-${place}`
    for (const question of rows('questions'))
      for (const answer of (question.answers ?? []) as Row[]) {
        answer.id = undefined
        answer.associations = []
      }
    return { ...withReferences(value), pictures: [] }
  }
  if (['publicQuiz.submit', 'trialRuns.submit', 'invitedRuns.submit'].includes(name)) {
    const { parameters: _, ...submission } = value
    const answers = { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: 'a@exemple.fr' }
    return { ...submission, answers, participant_uuid: randomUUID() }
  }
  return value
}

/**
 * Returns a small body with a text in each field of a call, and valid values in the others. Its lists have two rows. Its
 * ids exist, so that the call uses the texts. Undefined if the call has no JSON body.
 */
export const createTextBody = (
  [name, endpoint]: [string, Endpoint],
  { quiz, valid, fill }: BodySource & { fill: FillText },
): unknown => {
  const schema = bodySchemaOf(endpoint)
  if (!schema) return undefined
  const texts = new Set<unknown>()
  const { value } = generate(schema, SMALL_BODY_LETTERS, rememberTexts(texts, fill))
  return withExistingIds(name, mixed(withShortLists(value), valid, texts), quiz)
}

/** Characters of a body in which every field has a value. */
const SMALL_BODY_LETTERS = 20_000
const MAX_ROWS = 2

/** Returns a value whose lists and maps have at most MAX_ROWS members. */
const withShortLists = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, MAX_ROWS).map(withShortLists)
  if (!isRow(value)) return value
  const entries = Object.entries(value).map(([key, member]) => [key, withShortLists(member)])
  return Object.fromEntries(entries)
}

/** Returns `fill`, whose texts are added to `texts`. */
const rememberTexts =
  (texts: Set<unknown>, fill: FillText): FillText =>
  (length, rank) => {
    const text = fill(length, rank)
    texts.add(text)
    return text
  }

/** Quiz that a call is about, and a valid body of the call. */
type BodySource = { quiz: SampleQuiz; valid: unknown }

/** Bodies of a call with the longest texts. */
export type LargestBodies = {
  /** Text in every field; most calls refuse this body because of one field. */
  every_field: unknown
  /** Text in every field that takes any text, and valid values in the others, so that the call uses the texts. */
  largest: unknown
  /** Like `largest`, with no more text than a questionnaire may have. */
  accepted: unknown
}

/** Bytes of the texts of a whole questionnaire that the product stores; larger ones are refused as too large. */
const STORED_BYTES = 400_000
/** Maximum bytes of the accepted body, for the calls whose bodies may have more text than a questionnaire. */
const CONTENT_BYTES: Record<string, number> = {
  'quizFiles.read': STORED_BYTES,
  'drafts.save': STORED_BYTES,
  'questions.saveDraft': STORED_BYTES,
  'results.saveAll': STORED_BYTES,
}

/** Returns a generated body within the bytes of the call, because letters of three bytes and escapes take more. */
const generateWithin = (
  schema: NonNullable<ReturnType<typeof bodySchemaOf>>,
  max_bytes: number | undefined,
  fill: FillText,
): unknown => {
  const limit = max_bytes ?? MAX_CALL_BODY_BYTES
  for (let budget = limit / 2; ; budget = Math.floor(budget / 2)) {
    const { value } = generate(schema, budget, fill)
    if (Buffer.byteLength(JSON.stringify(value)) <= limit) return value
  }
}

/** Returns the largest bodies of a call. Undefined if the call has no JSON body. */
export const largestBodiesOf = (
  [name, endpoint]: [string, Endpoint],
  { quiz, valid, fill }: BodySource & { fill?: FillText },
): LargestBodies | undefined => {
  const schema = bodySchemaOf(endpoint)
  const shape = endpoint.body_json ?? endpoint.body
  if (!schema || !shape) return undefined
  const texts = new Set<unknown>()
  const letters: FillText = (length, rank) =>
    `${rank.toString(36)} ${'é'.repeat(length)}`.slice(0, length)
  const filling = rememberTexts(texts, fill ?? letters)
  const every_field = generateWithin(schema, endpoint.max_body_bytes, filling)
  const accepted = (max_bytes: number | undefined): unknown => {
    const content = generateWithin(schema, max_bytes, filling)
    return repaired(shape, withExistingIds(name, mixed(content, valid, texts), quiz), valid)
  }
  const is_file = name === 'quizFiles.read'
  return {
    every_field,
    largest: accepted(is_file ? MAX_CONTENT_BYTES : endpoint.max_body_bytes),
    accepted: accepted(CONTENT_BYTES[name] ?? endpoint.max_body_bytes),
  }
}
