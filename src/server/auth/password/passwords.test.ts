import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthError } from '#server/auth/auth-error.ts'
import { checkNewPassword } from './password-policy.ts'
import { DUMMY_HASH, hashPassword, isPassword } from './passwords.ts'

test('a password is hashed with argon2id, 19 MiB, 2 passes, and its own salt', async () => {
  const first = await hashPassword('secret1')
  const second = await hashPassword('secret1')
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(first, second)
  assert.equal(await isPassword('secret1', first), true)
  assert.equal(await isPassword('secret1', second), true)
  assert.equal(await isPassword('Secret1', first), false)
})

test('a hash is checked with the cost parameters that it contains', async () => {
  // Vector of the reference implementation: argon2id, 256 KiB, 2 passes.
  const phc = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  assert.equal(await isPassword('password', phc), true)
  assert.equal(await isPassword('passwore', phc), false)
})

test('the dummy hash matches no password, and a damaged hash is an error', async () => {
  assert.equal(await isPassword('', DUMMY_HASH), false)
  await assert.rejects(isPassword('secret1', 'secret1'), /PHC/)
})

test('a new password has at least 6 characters and at most 72 bytes', () => {
  const refusal = (password: string) => {
    try {
      checkNewPassword(password, 'spec', '')
    } catch (error) {
      return error instanceof AuthError && [error.status, error.code, error.weak_password_reasons]
    }
  }
  assert.deepEqual(refusal('12345'), [422, 'weak_password', ['length']])
  assert.deepEqual(refusal('ééé'), [422, 'weak_password', ['length']])
  assert.equal(refusal('123456'), undefined)
  assert.equal(refusal('a'.repeat(72)), undefined)
  assert.deepEqual(refusal('a'.repeat(73)), [400, 'validation_failed', undefined])
  assert.deepEqual(refusal('é'.repeat(37)), [400, 'validation_failed', undefined])
})

test('a failed hash computation does not affect the next one', async () => {
  const impossible = '$argon2id$v=19$m=1,t=1,p=1$c2FsdHNhbHRzYWx0$dGFndGFndGFn'
  await assert.rejects(isPassword('secret1', impossible))
  const phc = await hashPassword('secret1')
  assert.equal(await isPassword('secret1', phc), true)
})
