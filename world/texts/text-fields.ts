import type { Endpoint } from '#contract/kit/endpoint.ts'
import { contractCalls } from '#server/testing/app/contract-calls.ts'
import { bodySchemaOf, querySchemaOf, type Schema } from '#server/testing/quizzes/largest-input.ts'

/** Text in the input of a call. */
export type TextField = {
  /** Name of the call, such as `questions.create`. */
  call: string
  part: 'body' | 'query'
  /** Path of the field. `[]` follows the name of a list, and `*` stands for the keys of a map. */
  path: string
}

/** Formats of texts that are no texts of people: ids, days and times. */
const NO_TEXT_FORMATS = ['uuid', 'guid', 'date', 'date-time']

/** Returns the paths of all texts of a schema, in its order. A text that only a pattern limits is an id or a colour. */
const textPaths = (schema: Schema): string[] => {
  const paths = new Set<string>()
  const visit = (shape: Schema, path: string, names: readonly string[]): void => {
    const name = shape.$ref?.split('/').at(-1)
    if (name !== undefined) {
      // A shape that contains itself has no further texts.
      if (!names.includes(name)) visit(schema.$defs?.[name] ?? {}, path, [...names, name])
      return
    }
    for (const option of [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])])
      visit(option, path, names)
    if (isText(shape)) paths.add(path)
    if (shape.items) visit(shape.items, `${path}[]`, names)
    for (const [key, member] of Object.entries(shape.properties ?? {}))
      visit(member, path ? `${path}.${key}` : key, names)
    if (typeof shape.additionalProperties === 'object')
      visit(shape.additionalProperties, path ? `${path}.*` : '*', names)
  }
  visit(schema, '', [])
  return [...paths]
}

const isText = ({ type, format, pattern, maxLength, enum: values, const: value }: Schema) =>
  type === 'string' &&
  values === undefined &&
  value === undefined &&
  !(format && NO_TEXT_FORMATS.includes(format)) &&
  (pattern === undefined || maxLength !== undefined)

/** Returns the texts in the input of a call. */
export const textFieldsOf = ([call, endpoint]: [string, Endpoint]): TextField[] => {
  const body = bodySchemaOf(endpoint)
  const query = querySchemaOf(endpoint)
  return [
    ...(body ? textPaths(body).map((path) => ({ call, part: 'body' as const, path })) : []),
    ...(query ? textPaths(query).map((path) => ({ call, part: 'query' as const, path })) : []),
  ]
}

/** Returns all texts of the contract, sorted by call and path. */
export const listTextFields = (): TextField[] =>
  contractCalls
    .flatMap(textFieldsOf)
    .toSorted((a, b) => a.call.localeCompare(b.call) || a.path.localeCompare(b.path))
