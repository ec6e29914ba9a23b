import { z } from 'zod'
import { api, errorBody } from '#contract/api.ts'
import { type Endpoint, isForCreators, keyScopeOf, successStatus } from '#contract/kit/endpoint.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'

type Json = Record<string, unknown>

const COMPONENTS = '#/components/schemas/'

/** Shared schemas by id; each is written once in the document. */
const shared: Record<string, Json> = {}

/**
 * Returns the JSON schema of a shape. Shapes with an id become references. Throws if two different shapes have the
 * same id.
 */
const schemaOf = (shape: z.ZodType, io: 'input' | 'output'): Json => {
  const written = JSON.stringify(z.toJSONSchema(shape, { io, unrepresentable: 'any' }))
  const { $schema: _, $defs, ...schema } = JSON.parse(written.replaceAll('#/$defs/', COMPONENTS))
  for (const [id, { id: _id, ...def }] of Object.entries<Json>($defs ?? {})) {
    const known = shared[id]
    if (known && JSON.stringify(known) !== JSON.stringify(def))
      throw new Error(`The shape ${id} is another one as ${io}`)
    shared[id] = def
  }
  return schema
}

const content = (shape: z.ZodType, io: 'input' | 'output', type = 'application/json'): Json => ({
  content: { [type]: { schema: schemaOf(shape, io) } },
})

const bodyOf = ({ body, body_types, body_json }: Endpoint): Json => {
  if (!body) return {}
  if (!body_types) return { requestBody: { required: true, ...content(body, 'input') } }
  const media_type = body_json ? { schema: schemaOf(body_json, 'input') } : {}
  const types = body_types.map((type) => [type, media_type])
  return { requestBody: { required: true, content: Object.fromEntries(types) } }
}

const parametersOf = (endpoint: Endpoint): Json[] => {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const shapes: Record<string, unknown> = endpoint.params?.shape ?? {}
  const inPath = names.map((name = '') => ({
    name,
    in: 'path',
    required: true,
    schema: shapes[name]
      ? schemaOf(shapes[name] as z.ZodType, 'input')
      : { type: 'string', format: 'uuid' },
  }))
  const query: Record<string, unknown> = endpoint.query?.shape ?? {}
  const inQuery = Object.entries(query as Record<string, z.ZodType>).map(([name, shape]) => ({
    name,
    in: 'query',
    required: !shape.isOptional(),
    schema: schemaOf(shape, 'input'),
  }))
  return [...inPath, ...inQuery]
}

const successOf = (endpoint: Endpoint): Json => {
  const status = successStatus(endpoint)
  if (!endpoint.answer) return { [status]: { description: 'Fait' } }
  const success = {
    description: 'Réussite',
    ...content(endpoint.answer, 'output', endpoint.answer_type),
  }
  const again = { ...success, description: 'Réussite, comme la première fois' }
  return { ...(endpoint.repeats && { 200: again }), [status]: success }
}

/** Operation groups whose names in the public API, which never change, differ from the names of the contract. */
const OPERATION_GROUPS: Record<string, string> = { publicQuiz: 'taking', trialRuns: 'testRuns' }

/** Returns the operation id of a call of the contract. */
export const operationIdOf = (group: string, name: string): string =>
  `${OPERATION_GROUPS[group] ?? group}.${name}`

const endpoints: [string, Endpoint][] = Object.entries(api).flatMap(([group, members]) =>
  Object.entries(members).map(([name, endpoint]): [string, Endpoint] => [
    operationIdOf(group, name),
    endpoint,
  ]),
)

/** Returns the security requirements of a call: a session, or an API key with the required scope. */
const securityOf = (endpoint: Endpoint): Json[] => {
  if (!isForCreators(endpoint.access)) return []
  const scope = keyScopeOf(endpoint)
  return [{ bearer: [] }, ...(scope ? [{ api_key: [scope] }] : [])]
}

const operation = (id: string, endpoint: Endpoint): Json => ({
  operationId: id,
  summary: endpoint.summary,
  tags: [id.split('.')[0]],
  security: securityOf(endpoint),
  parameters: parametersOf(endpoint),
  ...bodyOf(endpoint),
  responses: {
    ...successOf(endpoint),
    default: { description: 'Refus', ...content(errorBody, 'output') },
  },
})

/** Returns the OpenAPI 3.1 document that is stored as docs/openapi.json. Throws if two shapes share an id. */
export const openApiDocument = (): Json => {
  const paths: Record<string, Json> = {}
  for (const [id, endpoint] of endpoints) {
    const path = `${BASE_PATH}${endpoint.path}`
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(id, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Quizaine', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(shared).sort()),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        api_key: { type: 'http', scheme: 'bearer', bearerFormat: 'qz_' },
      },
    },
  }
}
