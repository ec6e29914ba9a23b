import { z } from 'zod'

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  maxLength?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}
export type WrongBody = { name: string; body: unknown }

/** Returns values of wrong types for a field. */
const MISTYPED: Record<string, unknown[]> = {
  string: [12, {}],
  number: ['texte', 1.5],
  boolean: ['oui'],
  object: ['texte', []],
  array: ['texte', {}],
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)
const show = (path: string[]): string => path.join('.') || 'the body'

/**
 * Returns invalid bodies with one error each: missing field, wrong type, exceeded limit or forbidden character. They
 * are derived from the schema and the complete valid body `good`.
 */
export const wrongBodies = (shape: z.ZodType, good: unknown): WrongBody[] => {
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Schema
  return walk(schema, good, []).map(({ path, what, value }) => ({
    name: `${show(path)} ${what}`,
    body: path.length === 0 ? value : replaced(good, path, value),
  }))
}

type Mistake = { path: string[]; what: string; value: unknown }
const MISSING = Symbol('missing')

const walk = (schema: Schema, value: unknown, path: string[]): Mistake[] => {
  const own = schemaFor(schema, value)
  const mistakes = (MISTYPED[typeOf(value)] ?? []).map((wrong) => ({
    path,
    what: `as ${JSON.stringify(wrong)}`,
    value: wrong as unknown,
  }))
  if (typeof value === 'string') return [...mistakes, ...wrongTexts(own, path)]
  if (typeof value === 'number') return [...mistakes, ...wrongNumbers(own, path)]
  if (Array.isArray(value)) {
    const { maxItems, items = {} } = own
    const long = {
      path,
      what: 'too long',
      value: Array(maxItems ?? 0)
        .fill(value[0])
        .concat(value[0]),
    }
    const inside = value.flatMap((item, index) => walk(items, item, [...path, String(index)]))
    return [...mistakes, ...(maxItems ? [long] : []), ...inside]
  }
  if (typeof value !== 'object' || value === null) return mistakes
  const missing = (own.required ?? []).map((key) => ({
    path: [...path, key],
    what: 'missing',
    value: MISSING as unknown,
  }))
  const inside = Object.entries(value).flatMap(([key, member]) =>
    walk(memberOf(own, key), member, [...path, key]),
  )
  return [...mistakes, ...missing, ...inside]
}

/** Returns the allowed shape that matches a value. */
const schemaFor = (schema: Schema, value: unknown): Schema => {
  const kinds = typeOf(value) === 'number' ? ['number', 'integer'] : [typeOf(value)]
  return schema.anyOf?.find(({ type }) => kinds.includes(String(type))) ?? schema
}

const memberOf = ({ properties, additionalProperties }: Schema, key: string): Schema => {
  const other = typeof additionalProperties === 'object' ? additionalProperties : {}
  return properties?.[key] ?? other
}

const wrongTexts = ({ maxLength }: Schema, path: string[]): Mistake[] => {
  if (!maxLength) return []
  return [
    { path, what: 'too long', value: 'x'.repeat(maxLength + 1) },
    { path, what: 'with NUL', value: 'a\0b' },
    { path, what: 'with half a character', value: 'a\ud83d' },
  ]
}

const wrongNumbers = ({ minimum, maximum }: Schema, path: string[]): Mistake[] => [
  ...(minimum === undefined ? [] : [{ path, what: 'too small', value: minimum - 1 }]),
  ...(maximum === undefined ? [] : [{ path, what: 'too great', value: maximum + 1 }]),
]

const replaced = (good: unknown, path: string[], value: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(good)) return good.with(Number(key), replaced(good[Number(key)], rest, value))
  const members = { ...(good as Record<string, unknown>) }
  if (rest.length === 0 && value === MISSING) delete members[key]
  else members[key] = replaced(members[key], rest, value)
  return members
}
