import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withRetries } from '#server/db/database.ts'
import { ApiError, refusedPublication, toApiError, toErrorBody } from './errors.ts'
import { measureJson, parseBody } from './request-body.ts'

const databaseFailure = (code: string, more: object = {}): Error =>
  Object.assign(new Error('select secret from users where x'), { code, ...more })

describe('the conversion of errors to API errors', () => {
  const cases: [string, unknown, number, string][] = [
    ['a refusal', new ApiError(418, 'teapot', 'Non'), 418, 'teapot'],
    ['an unexpected error', new TypeError('x is undefined'), 500, 'unexpected'],
    ['a thrown value that is not an error', 'boum', 500, 'unexpected'],
    ['a database that is shutting down', databaseFailure('57P01'), 503, 'unavailable'],
    [
      'an unreachable database',
      databaseFailure('ECONNREFUSED', { syscall: 'connect' }),
      503,
      'unavailable',
    ],
    ['a lock that took too long', databaseFailure('55P03'), 503, 'unavailable'],
    ['a value that the database cannot store', databaseFailure('22021'), 422, 'invalid'],
    ...['22P02', '22P05', '22003', '23514'].map((code): [string, Error, number, string] => [
      `a value of class ${code}`,
      databaseFailure(code),
      422,
      'invalid',
    ]),
    ['too deep nesting', databaseFailure('54001'), 400, 'bad_json'],
    ...['53100', '53300', '57P01', '57P02', '57P03', '08006', '40001', '40P01', '57014'].map(
      (code): [string, Error, number, string] => [
        `a temporary database failure, ${code}`,
        databaseFailure(code),
        503,
        'unavailable',
      ],
    ),
    ['a duplicate key', databaseFailure('23505'), 409, 'conflict'],
    ['a missing referenced row', databaseFailure('23503'), 409, 'conflict'],
    ['any other database failure', databaseFailure('42601'), 500, 'unexpected'],
  ]
  for (const [name, error, status, code] of cases)
    test(`an error becomes the right API error: ${name}`, () => {
      const refusal = toApiError(error)
      assert.deepEqual([refusal.status, refusal.code], [status, code])
      assert.doesNotMatch(JSON.stringify(toErrorBody(refusal)), /select|undefined|boum/)
    })
})

test('the body of an internal error has the request id, and the body of a refusal does not', () => {
  assert.equal(toErrorBody(toApiError(new Error('x')), 'id-1').error_id, 'id-1')
  assert.equal(toErrorBody(toApiError(databaseFailure('57P01')), 'id-1').error_id, undefined)
})

describe('work whose transaction collided with another transaction', () => {
  const failing = (times: number, code: string) => {
    let tries = 0
    return async () => {
      tries++
      if (tries <= times) throw databaseFailure(code)
      return tries
    }
  }
  test('work whose transaction collided is tried three times at most', async () => {
    assert.equal(await withRetries(failing(2, '40001')), 3)
    assert.equal(await withRetries(failing(1, '40P01')), 2)
    await assert.rejects(withRetries(failing(3, '40001')), { code: '40001' })
  })
  test('only work whose transaction collided is repeated', async () => {
    await assert.rejects(withRetries(failing(1, '23505')), { code: '23505' })
  })
})

test('a refused publication lists its reasons', () =>
  assert.deepEqual(toErrorBody(refusedPublication(['Un', 'Deux'])), {
    error: 'Impossible de publier le quiz',
    code: 'publication_refused',
    validation_errors: ['Un', 'Deux'],
  }))

describe('the limits of JSON bodies', () => {
  const deep = (levels: number): Buffer => Buffer.from('['.repeat(levels) + ']'.repeat(levels))

  test('a body may nest sixteen levels at most', () => {
    assert.equal(measureJson(deep(16)).is_too_deep, false)
    assert.equal(measureJson(deep(17)).is_too_deep, true)
    assert.equal(measureJson(deep(100_000)).is_too_deep, true)
  })
  test('brackets in strings do not count as nesting', () => {
    const text = JSON.stringify({ text: '[[[[\\"'.repeat(50) })
    assert.equal(measureJson(Buffer.from(text)).is_too_deep, false)
  })
  test('a body may contain a limited number of values', async () => {
    const values = (count: number): Buffer => Buffer.from(JSON.stringify(Array(count).fill(0)))
    assert.equal(((await parseBody(values(19_998))) as unknown[]).length, 19_998)
    await assert.rejects(parseBody(values(20_001)), { status: 400 })
    assert.equal(((await parseBody(values(20_001), 30_000)) as unknown[]).length, 20_001)
  })
  test('an object of a body may have at most a thousand keys, repeated keys included', async () => {
    const keys = (count: number, name = (index: number) => `k${index}`): Buffer =>
      Buffer.from(`{${Array.from({ length: count }, (_, index) => `"${name(index)}":[]`).join()}}`)
    assert.equal(Object.keys((await parseBody(keys(1_000))) as object).length, 1_000)
    await assert.rejects(parseBody(keys(1_001), 1_000_000), { status: 400 })
    const repeated = keys(1_001, () => 'k')
    await assert.rejects(parseBody(repeated, 1_000_000), { status: 400 })
    const nested = Buffer.from(`[{"a":1},${keys(1_001)},{"a":1}]`)
    await assert.rejects(parseBody(nested, 1_000_000), { status: 400 })
    assert.equal(
      ((await parseBody(Buffer.from(`[${'{},'.repeat(5_000)}1]`))) as unknown[]).length,
      5_001,
    )
  })
  test('a body with a key that can change a prototype is refused, however the key is escaped', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])
      for (const text of [`{"${key}":1}`, `{"a":[{"${key}":{}}]}`, `{"${key}":1,"${key}":2}`])
        await assert.rejects(parseBody(Buffer.from(text)), { status: 400 }, text)
    assert.deepEqual(await parseBody(Buffer.from('{"a":"constructor"}')), { a: 'constructor' })
  })
  test('a body with text that the database cannot store is refused, in values and keys', async () => {
    for (const text of ['{"a":["\\u0000"]}', '{"\\ud800":1}', '"\\udc00x"', '{"a\\u0000":1}'])
      await assert.rejects(parseBody(Buffer.from(text)), { status: 422 }, text)
    assert.deepEqual(await parseBody(Buffer.from('"\\ud83d\\ude00"')), '😀')
  })
  test('an empty body is undefined, and a body that is not UTF-8 is refused', async () => {
    assert.equal(await parseBody(Buffer.alloc(0)), undefined)
    assert.deepEqual(await parseBody(Buffer.from('{"é":1}')), { é: 1 })
    await assert.rejects(parseBody(Buffer.from([0x22, 0xff, 0x22])), { status: 400 })
  })
})
