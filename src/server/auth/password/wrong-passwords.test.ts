import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthError } from '#server/auth/auth-error.ts'
import { createWrongPasswords } from './password-limits.ts'

const MINUTE = 60_000

const waitOf = (check: () => void): number | undefined => {
  try {
    check()
  } catch (error) {
    assert.ok(error instanceof AuthError && error.status === 429)
    return error.retry_after
  }
}

test('after five wrong passwords, each further wrong password doubles the delay up to an hour', () => {
  const wrong = createWrongPasswords()
  const key = wrong.keyOf('ada@example.org', '203.0.113.7')
  let now = 0
  const waits: (number | undefined)[] = []
  for (let tries = 0; tries < 13; tries += 1) {
    const wait = waitOf(() => wrong.check(key, now))
    waits.push(wait)
    now += (wait ?? 0) * 1000
    assert.equal(
      waitOf(() => wrong.check(key, now)),
      undefined,
      'the delay ends when it says',
    )
    wrong.add(key, now)
  }
  const none = Array(5).fill(undefined)
  assert.deepEqual(waits, [...none, 60, 120, 240, 480, 960, 1920, 3600, 3600])
})

test('a clock that is set back by an hour does not extend the delay', () => {
  const wrong = createWrongPasswords()
  const key = wrong.keyOf('ada@example.org', '203.0.113.7')
  for (let tries = 0; tries < 5; tries += 1) wrong.add(key, 60 * MINUTE)
  assert.equal(
    waitOf(() => wrong.check(key, 0)),
    60,
  )
  assert.equal(
    waitOf(() => wrong.check(key, MINUTE)),
    undefined,
  )
})

test('the delay does not apply to other networks or to other accounts', () => {
  const wrong = createWrongPasswords()
  const key = wrong.keyOf('ada@example.org', '203.0.113.7')
  for (let tries = 0; tries < 6; tries += 1) wrong.add(key, 0)
  assert.equal(
    waitOf(() => wrong.check(key, 0)),
    120,
  )
  assert.equal(
    waitOf(() => wrong.check(wrong.keyOf('ada@example.org', '203.0.113.8'), 0)),
    undefined,
  )
  assert.equal(
    waitOf(() => wrong.check(wrong.keyOf('bob@example.org', '203.0.113.7'), 0)),
    undefined,
  )
})

test('a correct password or a day without attempts resets the delay', () => {
  const wrong = createWrongPasswords()
  for (let tries = 0; tries < 5; tries += 1) wrong.add('key', 0)
  wrong.forget('key')
  assert.equal(
    waitOf(() => wrong.check('key', 0)),
    undefined,
  )
  for (let tries = 0; tries < 20; tries += 1) wrong.add('key', 0)
  wrong.add('key', 24 * 60 * MINUTE)
  assert.equal(
    waitOf(() => wrong.check('key', 24 * 60 * MINUTE)),
    undefined,
  )
})
