import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isTooDeep, parseBody } from './body.ts'
import { ApiError, errorBodyOf, refusedPublication, toApiError } from './errors.ts'

const databaseFailure = (code: string, more: object = {}): Error =>
  Object.assign(new Error('select secret from users where x'), { code, ...more })

describe('toApiError', () => {
  const cases: [string, unknown, number, string][] = [
    ['a refusal is itself', new ApiError(418, 'teapot', 'Non'), 418, 'teapot'],
    ['nobody foresaw it', new TypeError('x is undefined'), 500, 'unexpected'],
    ['not even an error', 'boum', 500, 'unexpected'],
    ['the database is shutting down', databaseFailure('57P01'), 503, 'unavailable'],
    [
      'the database is not there',
      databaseFailure('ECONNREFUSED', { syscall: 'connect' }),
      503,
      'unavailable',
    ],
    ['a lock took too long', databaseFailure('55P03'), 503, 'unavailable'],
    ['a value it cannot keep', databaseFailure('22021'), 422, 'invalid'],
    ['twice the same', databaseFailure('23505'), 409, 'conflict'],
    ['gone meanwhile', databaseFailure('23503'), 409, 'conflict'],
    ['any other failure of its', databaseFailure('42601'), 500, 'unexpected'],
  ]
  for (const [name, error, status, code] of cases)
    test(name, () => {
      const refusal = toApiError(error)
      assert.deepEqual([refusal.status, refusal.code], [status, code])
      assert.doesNotMatch(JSON.stringify(errorBodyOf(refusal)), /select|undefined|boum/)
    })
})

test('a refused publication lists its reasons', () =>
  assert.deepEqual(errorBodyOf(refusedPublication(['Un', 'Deux'])), {
    error: 'Impossible de publier le quiz',
    code: 'publication_refused',
    validation_errors: ['Un', 'Deux'],
  }))

describe('bodies', () => {
  const deep = (levels: number): Buffer => Buffer.from('['.repeat(levels) + ']'.repeat(levels))

  test('may nest sixteen deep and no deeper', () => {
    assert.equal(isTooDeep(deep(16)), false)
    assert.equal(isTooDeep(deep(17)), true)
    assert.equal(isTooDeep(deep(100_000)), true)
  })
  test('brackets in texts nest nothing', () => {
    assert.equal(isTooDeep(Buffer.from(JSON.stringify({ text: '[[[[\\"'.repeat(50) }))), false)
  })
  test('an empty one is none; bytes that are no UTF-8 are refused', () => {
    assert.equal(parseBody(Buffer.alloc(0)), undefined)
    assert.deepEqual(parseBody(Buffer.from('{"é":1}')), { é: 1 })
    assert.throws(() => parseBody(Buffer.from([0x22, 0xff, 0x22])), { status: 400 })
  })
})
