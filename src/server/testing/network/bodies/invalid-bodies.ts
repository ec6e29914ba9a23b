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
/** Body with one error. The name says field and error. */
export type InvalidBody = { name: string; body: unknown }

/** Values of wrong types by the type of a field. */
const MISTYPED: Record<string, unknown[]> = {
  string: [12, {}],
  number: ['texte', 1.5],
  boolean: ['oui'],
  object: ['texte', []],
  array: ['texte', {}],
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)
const formatPath = (path: string[]): string => path.join('.') || 'the body'

/**
 * Returns invalid bodies with one error each: missing field, wrong type, exceeded limit or forbidden character. Each is
 * derived from the schema and from the valid body `good`, which must have every field.
 */
export const createInvalidBodies = (shape: z.ZodType, good: unknown): InvalidBody[] => {
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Schema
  return listMistakes(schema, good, []).map(({ path, what, value }) => ({
    name: `${formatPath(path)} ${what}`,
    body: path.length === 0 ? value : replaceAt(good, path, value),
  }))
}

type Mistake = { path: string[]; what: string; value: unknown }
const MISSING = Symbol('missing')

const listMistakes = (schema: Schema, value: unknown, path: string[]): Mistake[] => {
  const own = schemaFor(schema, value)
  const mistakes = (MISTYPED[typeOf(value)] ?? []).map((wrong) => ({
    path,
    what: `as ${JSON.stringify(wrong)}`,
    value: wrong as unknown,
  }))
  if (typeof value === 'string') return [...mistakes, ...listTextMistakes(own, path)]
  if (typeof value === 'number') return [...mistakes, ...listNumberMistakes(own, path)]
  if (Array.isArray(value)) {
    const { maxItems, items = {} } = own
    const long = {
      path,
      what: 'too long',
      value: Array(maxItems ?? 0)
        .fill(value[0])
        .concat(value[0]),
    }
    const inside = value.flatMap((item, index) =>
      listMistakes(items, item, [...path, String(index)]),
    )
    return [...mistakes, ...(maxItems ? [long] : []), ...inside]
  }
  if (typeof value !== 'object' || value === null) return mistakes
  const missing = (own.required ?? []).map((key) => ({
    path: [...path, key],
    what: 'missing',
    value: MISSING as unknown,
  }))
  const inside = Object.entries(value).flatMap(([key, member]) =>
    listMistakes(memberOf(own, key), member, [...path, key]),
  )
  return [...mistakes, ...missing, ...inside]
}

/** Returns the alternative of a schema whose type matches the value. */
const schemaFor = (schema: Schema, value: unknown): Schema => {
  const kinds = typeOf(value) === 'number' ? ['number', 'integer'] : [typeOf(value)]
  return schema.anyOf?.find(({ type }) => kinds.includes(String(type))) ?? schema
}

const memberOf = ({ properties, additionalProperties }: Schema, key: string): Schema => {
  const other = typeof additionalProperties === 'object' ? additionalProperties : {}
  return properties?.[key] ?? other
}

const listTextMistakes = ({ maxLength }: Schema, path: string[]): Mistake[] => {
  if (!maxLength) return []
  return [
    { path, what: 'too long', value: 'x'.repeat(maxLength + 1) },
    { path, what: 'with NUL', value: 'a\0b' },
    { path, what: 'with half a character', value: 'a\ud83d' },
  ]
}

const listNumberMistakes = ({ minimum, maximum }: Schema, path: string[]): Mistake[] => [
  ...(minimum === undefined ? [] : [{ path, what: 'too small', value: minimum - 1 }]),
  ...(maximum === undefined ? [] : [{ path, what: 'too great', value: maximum + 1 }]),
]

const replaceAt = (good: unknown, path: string[], value: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(good)) return good.with(Number(key), replaceAt(good[Number(key)], rest, value))
  const members = { ...(good as Record<string, unknown>) }
  if (rest.length === 0 && value === MISSING) delete members[key]
  else members[key] = replaceAt(members[key], rest, value)
  return members
}
