import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients } from '#server/testing/people/auth-clients.ts'
import { weaknessOf } from './password-policy.ts'
import { hashPassword } from './passwords.ts'

const reasons = (password: string, email = 'ada.essai@example.org') =>
  weaknessOf(password, 'cnil', email)?.reasons

test('the CNIL policy accepts 12 characters, or 8 characters of three kinds', () => {
  for (const good of ['trois mots à moi', 'Kx7vbnrq', 'kx7vb!rq', 'vélo8rouge!', 'Zkqvbnrtgh42'])
    assert.equal(reasons(good), undefined, good)
  assert.deepEqual(reasons('Kx7vbn'), ['length'])
  assert.deepEqual(reasons('kxqvbnrt'), ['length', 'characters'])
  assert.deepEqual(reasons('court'), ['length'])
})

test('the CNIL policy refuses common passwords and their variants', () => {
  for (const common of [
    'Motdepasse1!',
    'MotDePasse2026',
    'P@ssw0rd1234',
    'Azerty123456',
    'azertyuiopqs',
    '123456789012',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'soleilsoleil',
    'Soleil2026!!',
    'Quizaine2026',
    'Été20262026!',
    'Adaessai2026',
  ])
    assert.ok(reasons(common)?.includes('pwned'), common)
})

test('the CNIL policy refuses leaked passwords', () => {
  for (const leaked of [
    'Dragonfly2026',
    'Trustno1Trustno1',
    'Liverpool-2026',
    'Cristiano2026!',
    'Q1w2e3r4!',
  ])
    assert.deepEqual(reasons(leaked), ['pwned'], leaked)
})

test('the CNIL policy accepts random passwords and sentences', () => {
  const sign = fc.constantFrom(
    ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!?-_',
  )
  const random = fc.string({ unit: sign, minLength: 14, maxLength: 20 })
  for (const password of fc.sample(random, { numRuns: countCases(5_000), seed: 2022_100 }))
    assert.deepEqual(reasons(password), undefined, password)
  for (const sentence of ['correct cheval batterie agrafe', 'Le dragon mange 3 pommes'])
    assert.equal(reasons(sentence), undefined, sentence)
})

test('the policy of the specification requires only six characters', () => {
  assert.equal(weaknessOf('123456', 'spec', ''), undefined)
  assert.deepEqual(weaknessOf('12345', 'spec', '')?.reasons, ['length'])
})

test('a sign-in with a password that is now too weak reports the weakness', async (context) => {
  const t = await createTestApp({ AUTH_PASSWORD_POLICY: 'cnil' })
  context.after(() => t.close())
  const { openTab } = createAuthClients(await t.app.listen({ port: 0, host: '127.0.0.1' }))
  const account = { email: 'ada@example.org', password: 'Un bon mot de passe' }
  const weak = await openTab().signUp({ ...account, password: 'secret1' })
  assert.ok(weak.error?.name === 'AuthWeakPasswordError' && 'reasons' in weak.error)
  assert.deepEqual(weak.error.reasons, ['length', 'pwned'])
  assert.equal((await openTab().signUp(account)).error, null)
  const good = await openTab().signInWithPassword(account)
  assert.equal(good.data.weakPassword, undefined)

  const encrypted_password = await hashPassword('secret1')
  await t.db.updateTable('users').set({ encrypted_password }).execute()
  const old = await openTab().signInWithPassword({ ...account, password: 'secret1' })
  assert.equal(old.error, null)
  assert.deepEqual(old.data.weakPassword?.reasons, ['length', 'pwned'])
})
