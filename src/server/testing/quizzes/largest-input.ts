import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import type { Endpoint } from '#contract/kit/endpoint.ts'

/** The largest inputs that the contract allows, made from its shapes. */

/** JSON Schema of the input of a call, as zod writes it. */
export type Schema = {
  $ref?: string
  $defs?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  maxLength?: number
  maximum?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
}

type Generated = {
  value: unknown
  /** Paths of texts, lists and maps without a limit in the schema. */
  unlimited: string[]
}

/** Letter of two bytes, so that the byte limits are reached too. */
const LETTER = 'é'
/** Samples for texts that only a pattern limits. */
const PATTERN_SAMPLES = [
  '#aabbcc',
  'a'.repeat(60),
  'A'.repeat(50),
  `temp_${'a'.repeat(100)}`,
  '2026-12-31',
  '9'.repeat(20),
  '00000000-0000-4000-8000-000000000000',
]
const FORMAT_SAMPLES: Record<string, () => string> = {
  uuid: () => randomUUIDv7(),
  guid: () => randomUUIDv7(),
  'date-time': () => '2026-12-31T23:59:59.999Z',
  date: () => '2026-12-31',
  email: () => `${'a'.repeat(64)}@exemple.fr`,
}
const MAX_INTEGER = 1_000_000
/** Maximum number of members of a map: a body with more keys in one object is refused unread. */
const MAX_MEMBERS = 900

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length + 8

/** Fills a text of a length. Texts of one value have different ranks. */
export type FillText = (length: number, rank: number) => string

/** Fills a text with letters behind its rank, because equal texts are parsed only once. */
const fillWithLetters: FillText = (length, rank) =>
  `${rank.toString(36)} ${LETTER.repeat(length)}`.slice(0, length)

/**
 * Returns the largest value that the schema allows within `budget` characters of JSON, and its unlimited paths. `fill`
 * creates the texts that no pattern limits.
 */
export const generate = (
  schema: Schema,
  budget: number,
  fill: FillText = fillWithLetters,
): Generated => {
  const unlimited: string[] = []
  let nb_texts = 0
  const defs = schema.$defs ?? {}

  const text = (shape: Schema, path: string, room: number): string => {
    const { format, maxLength, pattern } = shape
    const formatted = format && FORMAT_SAMPLES[format]
    if (formatted) return formatted()
    if (maxLength === undefined && pattern) {
      const sample = PATTERN_SAMPLES.find((sample) => new RegExp(pattern).test(sample))
      if (sample !== undefined) return sample
    }
    if (maxLength === undefined) unlimited.push(path)
    const length = Math.max(1, Math.min(maxLength ?? room, room))
    if (pattern) {
      const sample = PATTERN_SAMPLES.find((sample) => new RegExp(pattern).test(sample))
      return sample ?? 'a'.repeat(length)
    }
    return fill(length, nb_texts++)
  }

  const list = (shape: Schema, path: string, room: number): unknown[] => {
    if (shape.maxItems === undefined) unlimited.push(path)
    const one = make(shape.items ?? {}, `${path}[]`, room)
    const count = Math.min(shape.maxItems ?? MAX_INTEGER, Math.floor(room / sizeOf(one)))
    return Array.from({ length: count }, () => make(shape.items ?? {}, `${path}[]`, sizeOf(one)))
  }

  const map = (shape: Schema, path: string, room: number): Record<string, unknown> => {
    unlimited.push(path)
    const member = shape.additionalProperties as Schema
    const entries: [string, unknown][] = []
    const one = make(member, `${path}.*`, Math.min(room, 1))
    const size = sizeOf(one) + 40
    for (let used = size; used < room && entries.length < MAX_MEMBERS; used += size)
      entries.push([randomUUIDv7(), one])
    return Object.fromEntries(entries)
  }

  const object = (shape: Schema, path: string, room: number): Record<string, unknown> => {
    const properties = Object.entries(shape.properties ?? {})
    if (properties.length === 0 && typeof shape.additionalProperties === 'object')
      return map(shape, path, room)
    const isCostly = ([, member]: [string, Schema]) => /array|object/.test(typeOf(resolve(member)))
    const plain = properties.filter((property) => !isCostly(property))
    const costly = properties.filter(isCostly)
    const value: Record<string, unknown> = {}
    let left = room
    for (const [key, member] of plain) {
      const others = key.length + 8
      value[key] = make(member, path ? `${path}.${key}` : key, Math.max(1, left - others))
      left = Math.max(1, left - sizeOf(value[key]) - others)
    }
    // Lists and objects share the characters that the other fields leave.
    for (const [rank, [key, member]] of costly.entries()) {
      const share = Math.floor(left / (costly.length - rank))
      value[key] = make(member, path ? `${path}.${key}` : key, share)
      left = Math.max(1, left - sizeOf(value[key]))
    }
    return value
  }

  const resolve = (shape: Schema): Schema => {
    const name = shape.$ref?.split('/').at(-1)
    if (name !== undefined) return resolve(defs[name] ?? {})
    const options = (shape.anyOf ?? shape.oneOf)?.map(resolve)
    if (!options) return shape
    const rankOf = (option: Schema) => ['null', 'boolean', 'integer'].indexOf(typeOf(option))
    return options.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? shape
  }
  const typeOf = ({ type }: Schema): string =>
    Array.isArray(type) ? (type[0] ?? '') : (type ?? '')

  const make = (given: Schema, path: string, room: number): unknown => {
    const shape = resolve(given)
    if (shape.const !== undefined) return shape.const
    if (shape.enum) return shape.enum.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]
    switch (typeOf(shape)) {
      case 'string':
        return text(shape, path, room)
      case 'array':
        return list(shape, path, room)
      case 'object':
        return object(shape, path, room)
      case 'boolean':
        return true
      case 'integer':
      case 'number':
        return Math.min(shape.maximum ?? MAX_INTEGER, MAX_INTEGER)
      case 'null':
        return null
      default:
        unlimited.push(path)
        return null
    }
  }
  const value = make(schema, '', budget)
  return { value, unlimited: [...new Set(unlimited)] }
}

/** Returns the JSON Schema of a call's body. Undefined if the call has no JSON body. */
export const bodySchemaOf = ({ body, body_json, body_types }: Endpoint): Schema | undefined => {
  const shape = body_json ?? (body_types ? undefined : body)
  return shape && (z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Schema)
}

/** Returns the JSON Schema of a call's query. Undefined if the call has no query. */
export const querySchemaOf = ({ query }: Endpoint): Schema | undefined =>
  query && (z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as Schema)

/** Fields without a limit in their schema, with the limit that another layer enforces. */
const LIMITED_ELSEWHERE: Record<string, string> = {
  'quizzes.importText text': 'letters of a text (docs/text-format.md)',
  'quizFiles.read pictures[].data': 'bytes of a file',
  'questions.saveDraft score_thresholds': 'values of a body',
  'publicQuiz.submit answers': 'questions of the version',
  'publicQuiz.submit parameters': 'values of a body; parameters of the quiz',
  'invitedRuns.submit answers': 'questions of the version',
  'invitedRuns.submit parameters': 'values of a body; parameters of the quiz',
  'invitedRuns.visit progress.replies':
    'bytes of the kept replies (server/campaigns/run-progress.ts)',
  'trialRuns.submit answers': 'questions of the version',
  'trialRuns.submit parameters': 'values of a body; parameters of the quiz',
}

/** Maximum length of a generated query, because all headers together may have 16 KiB. */
const MAX_QUERY_CHARACTERS = 8_000

/** Returns the texts, lists and maps of a call that have no limit, each as `call: path`. */
export const findUnlimited = (name: string, endpoint: Endpoint): string[] =>
  [bodySchemaOf(endpoint), querySchemaOf(endpoint)]
    .flatMap((schema) => (schema ? generate(schema, MAX_QUERY_CHARACTERS).unlimited : []))
    .filter((path) => LIMITED_ELSEWHERE[`${name} ${path}`] === undefined)
    .map((path) => `${name}: ${path}`)
