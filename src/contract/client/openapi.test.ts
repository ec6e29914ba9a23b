import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { api } from '#contract/api.ts'
import type { Endpoint, Group } from '#contract/kit/endpoint.ts'
import { OWN_CALLS, SPECIFIED_CALLS } from '#contract/testing/listed-calls.ts'
import { openApiDocument, operationIdOf } from './openapi.ts'

const specified = `${SPECIFIED_CALLS.trim()}${OWN_CALLS}`
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/).join(' '))

type Schema = {
  $ref?: string
  type?: string
  properties?: Record<string, unknown>
  required?: string[]
}
type Body = { content?: { 'application/json': { schema: Schema } } }
type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security: unknown[]
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: Body & { required: boolean }
  responses: Record<string, Body & { description: string }>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    securitySchemes: Record<string, { type: string; scheme: string }>
  }
}

/** Document after serialization. */
const written: Document = JSON.parse(JSON.stringify(openApiDocument()))
/** Returns a schema, or the component that it refers to. */
const read = (schema: Schema | undefined): Schema | undefined =>
  schema?.$ref ? written.components.schemas[schema.$ref.replace(/^#.*\//, '')] : schema
const operations = Object.entries(written.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)
const endpoints = Object.entries<Group>(api).flatMap(([group, members]) =>
  Object.entries(members).map(([key, endpoint]): [string, Endpoint] => [
    operationIdOf(group, key),
    endpoint,
  ]),
)
const operationOf = (name: string): Operation => {
  const found = operations.find(({ operation }) => operation.operationId === name)
  assert.ok(found, name)
  return found.operation
}

describe('the OpenAPI document', () => {
  test('the OpenAPI document is unchanged by JSON and equal at every call', () => {
    assert.deepEqual(openApiDocument(), written)
    assert.match(written.openapi, /^3\.1\./)
  })

  test('the OpenAPI document lists exactly the specified calls and our own, with their successful statuses (product 13.1)', () => {
    const listed = operations.map(({ path, method, operation }) => {
      const successes = Object.keys(operation.responses).filter((status) => /^2\d\d$/.test(status))
      return [method.toUpperCase(), path.replace('/api/v1', ''), ...successes.sort()].join(' ')
    })
    assert.deepEqual(listed.sort(), specified.toSorted())
  })

  test('the OpenAPI document contains each call of the contract once, with its name as operationId', () => {
    assert.deepEqual(
      operations.map(({ operation }) => operation.operationId).sort(),
      endpoints.map(([name]) => name).sort(),
    )
    for (const [name, { method, path, summary }] of endpoints) {
      const operation = written.paths[`/api/v1${path}`]?.[method.toLowerCase()]
      assert.deepEqual([operation?.operationId, operation?.summary], [name, summary])
      assert.doesNotMatch(summary, /\b(?:the|of|whether|and|what|how)\b/i, 'is in French')
    }
  })
})

test('shared schemas are components, and every reference resolves', () => {
  const { schemas } = written.components
  const text = JSON.stringify(written)
  const referred = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, id]) => id,
  )
  assert.deepEqual([...new Set(referred)].sort(), Object.keys(schemas).sort())
  assert.equal(referred.length, text.split('"$ref"').length - 1, 'there is no other reference')
  for (const [id, schema] of Object.entries(schemas))
    if (schema.type === 'object') {
      const places = text.split(JSON.stringify(schema.properties)).length - 1
      assert.equal(places, 1, id)
    }
  const { schema } =
    operationOf('results.list').responses['200']?.content?.['application/json'] ?? {}
  assert.deepEqual(schema?.properties?.results, {
    type: 'array',
    items: { $ref: '#/components/schemas/Result' },
  })
})

describe('each call of the OpenAPI document', () => {
  test('each call has an error answer in the form of product 13.5', () => {
    for (const { operation } of operations) {
      const refused = read(operation.responses.default?.content?.['application/json'].schema)
      assert.deepEqual(Object.keys(refused?.properties ?? {}), [
        'error',
        'code',
        'validation_errors',
        'error_id',
      ])
      assert.deepEqual(refused?.required, ['error', 'code'])
    }
  })

  test('each call answers an object or a text file, and 204 has no body', () => {
    for (const { operation } of operations)
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const { operationId } = operation
        if (status === '204') assert.equal(content, undefined, operationId)
        else if (content && 'text/plain' in content) assert.equal(operationId, 'quizzes.text')
        else assert.equal(read(content?.['application/json'].schema)?.type, 'object', operationId)
      }
  })

  test('each call declares the ids of its path as required, and nearly all of its query as optional', () => {
    const asked: Record<string, string[]> = { 'statistics.crosstab': ['rows', 'columns'] }
    for (const { path, operation } of operations) {
      const needed = operation.parameters.filter(({ required }) => required)
      const names = asked[operation.operationId] ?? []
      const ids = path.split('/').filter((segment) => segment.startsWith('{'))
      assert.deepEqual(
        needed.map((parameter) => [parameter.in, `{${parameter.name}}`]),
        [...ids.map((name) => ['path', name]), ...names.map((name) => ['query', `{${name}}`])],
      )
      const others = operation.parameters.filter(({ required }) => !required)
      assert.ok(others.every((parameter) => parameter.in === 'query'))
    }
    const queryOf = (name: string) =>
      operationOf(name)
        .parameters.filter((parameter) => parameter.in === 'query')
        .map((parameter) => parameter.name)
    const filters = [
      'email',
      'result',
      'answer',
      'tier',
      'percent',
      'certificate',
      'confirmation',
      'campaign',
      'group',
      'parameters',
      'from',
      'to',
    ]
    const pages = ['limit', 'cursor', 'sort', 'order', 'search', 'outcomes', 'figures', 'async']
    assert.deepEqual(queryOf('statistics.responses'), [...filters, ...pages])
    assert.deepEqual(queryOf('statistics.texts'), [...filters, 'search'])
    assert.deepEqual(queryOf('statistics.keyFigures'), [...filters, 'async'])
    assert.deepEqual(queryOf('statistics.crosstab'), [...filters, 'rows', 'columns', 'async'])
    assert.deepEqual(queryOf('taking.snapshot'), ['preview'])
    assert.deepEqual(queryOf('versions.list'), ['before'])
    const [quiz, version] = operationOf('versions.get').parameters
    assert.deepEqual(quiz?.schema, { type: 'string', format: 'uuid' })
    assert.deepEqual(version?.schema, { type: 'string', pattern: '^[1-9]\\d{0,8}$' })
  })

  test('each call needs a token, except calls of visitors (product 12.4)', () => {
    const open = operations.filter(({ operation }) => operation.security.length === 0)
    assert.deepEqual(open.map(({ operation }) => operation.operationId).sort(), [
      'invitedRuns.resume',
      'invitedRuns.submit',
      'invitedRuns.visit',
      'sharedStatistics.get',
      'taking.snapshot',
      'taking.submit',
      'testRuns.submit',
    ])
    const [bearer] = operationOf('quizzes.list').security
    assert.deepEqual(bearer, { bearer: [] })
    assert.equal(written.components.securitySchemes.bearer?.scheme, 'bearer')
  })

  test('each call has a request body exactly if the contract has one', () => {
    for (const [name, endpoint] of endpoints) {
      const { requestBody } = operationOf(name)
      assert.equal(requestBody !== undefined, endpoint.body !== undefined, name)
      if (requestBody) assert.equal(requestBody.required, true, name)
    }
    const { schema } =
      operationOf('quizzes.create').requestBody?.content?.['application/json'] ?? {}
    assert.deepEqual(schema?.required, ['type'])
    assert.deepEqual(schema?.properties?.name, {
      type: 'string',
      maxLength: 100,
      default: 'Nouveau Quiz',
    })
  })
})
