import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { openApiDocument } from './openapi.ts'
import { CLIENT_END, CLIENT_START } from './typescript-client-runtime.ts'

/** Subset of JSON Schema that the contract uses. */
type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}
type Parameter = { name: string; in: 'path' | 'query'; schema: Schema }
type Content = { content?: Record<string, { schema?: Schema }> }
type Operation = {
  operationId: string
  summary: string
  parameters: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

const EMPTY = 'Record<string, never>'
/** Line length above which each field of an object has its own line. */
const MAX_LINE_LENGTH = 60

const indented = (text: string): string => text.replaceAll('\n', '\n  ')

const fieldsOf = ({ properties = {}, required = [] }: Schema): string => {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${name}${mark}: ${indented(typeOf(schema))}`
  })
  if (fields.length === 0) return EMPTY
  const line = `{ ${fields.join('; ')} }`
  const isShort = line.length <= MAX_LINE_LENGTH && !line.includes('\n')
  return isShort ? line : `{\n${fields.map((field) => `  ${field}\n`).join('')}}`
}

const objectOf = (schema: Schema): string => {
  const { additionalProperties: others, properties } = schema
  if (properties || !others) return fieldsOf(schema)
  return `Record<string, ${others === true ? 'unknown' : typeOf(others)}>`
}

const PRIMITIVE_TYPES: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)

/** Returns the type name of a shared shape. The name differs from built-in types. */
const nameOf = (id: string): string => (id === 'Error' ? 'ErrorBody' : id)

/** Returns the TypeScript type of a schema. Throws if the schema has an unknown keyword. */
const typeOf = (schema: Schema): string => {
  const { $ref, anyOf, type, items } = schema
  if ($ref) return nameOf($ref.slice($ref.lastIndexOf('/') + 1))
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' | ')
  if ('const' in schema) return literal(schema.const)
  if (Array.isArray(type)) return type.map((name) => typeOf({ ...schema, type: name })).join(' | ')
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (type === 'array') return `Array<${items ? typeOf(items) : 'unknown'}>`
  if (type === 'object') return objectOf(schema)
  if (type === undefined) return 'unknown'
  const named = PRIMITIVE_TYPES[type]
  if (!named) throw new Error(`The client has no type for ${JSON.stringify(schema)}`)
  return named
}

const JSON_TYPE = 'application/json'
const schemaIn = (part: Content | undefined): Schema | undefined =>
  part?.content?.[JSON_TYPE]?.schema

/** Returns the parameter of a call: names of its path and query, and its body. '' if the call has no input. */
const parameterOf = ({ parameters, requestBody }: Operation): string => {
  const body = schemaIn(requestBody)
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const required = [...names, ...(body ? ['body'] : [])]
  const type = fieldsOf({ properties: { ...properties, ...(body && { body }) }, required })
  if (type === EMPTY) return ''
  return required.length > 0 ? `input: ${type}` : `input?: ${type}`
}

const answerOf = ({ responses }: Operation): string => {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  if (!success?.content) return 'void'
  const schema = schemaIn(success)
  return schema ? typeOf(schema) : 'string'
}

const methodOf = (method: string, path: string, operation: Operation): string => {
  const [, name = ''] = operation.operationId.split('.')
  const parameter = parameterOf(operation)
  const argument = parameter === '' ? '' : ', input'
  const route = `'${method.toUpperCase()}', '${path.replace(BASE_PATH, '')}'`
  const called = `call<${answerOf(operation)}>(${route}${argument})`
  return `/** ${operation.summary}. */\n${name}: (${parameter}) =>\n  ${indented(called)},\n`
}

/** Calls of the generated client. Each accepts an API key and answers JSON or text; the reference lists the others. */
const CLIENT_CALLS = [
  'quizzes.list',
  'quizzes.get',
  'quizzes.create',
  'quizzes.importText',
  'quizzes.text',
  'quizzes.update',
  'quizzes.duplicate',
  'quizzes.publish',
  'quizzes.remove',
  'results.list',
  'questions.list',
  'statistics.overview',
  'statistics.responses',
  'participants.ofPerson',
  'participants.remove',
  'exports.link',
  'deliveries.summary',
]

/** Returns the shared shapes that a text names, directly or through other shapes. */
const namedIn = (text: string, types: Map<string, string>): Set<string> => {
  const found = new Set<string>()
  const collectTypeNames = (source: string): void => {
    const words = new Set(source.match(/\w+/g))
    for (const [name, type] of types)
      if (!found.has(name) && words.has(name)) {
        found.add(name)
        collectTypeNames(type)
      }
  }
  collectTypeNames(text)
  return found
}

/**
 * Returns a TypeScript client for the most important calls, in one file that only needs `fetch`.
 * docs/client/quizaine.ts is its stored copy.
 */
export const typescriptClient = (): string => {
  const { paths, components } = openApiDocument() as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const groups = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      if (!CLIENT_CALLS.includes(operation.operationId)) continue
      const [group = ''] = operation.operationId.split('.')
      groups.set(group, [...(groups.get(group) ?? []), methodOf(method, path, operation)])
    }
  const types = new Map(
    Object.entries(components.schemas).map(([name, schema]) => [nameOf(name), typeOf(schema)]),
  )
  const calls = [...groups].map(
    ([group, methods]) =>
      `    ${group}: {\n      ${methods.join('').trimEnd().replaceAll('\n', '\n      ')}\n    },\n`,
  )
  const end = CLIENT_END.replace('    // calls\n', () => calls.join(''))
  const named = [...namedIn(end, types)].sort()
  const shapes = named.map((name) => `export type ${name} = ${types.get(name)}\n`)
  return [CLIENT_START, shapes.join('\n'), end].join('\n')
}
