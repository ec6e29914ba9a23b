import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { loadSigningKey } from './key-ring.ts'

const t = await createTestApp()
after(() => t.close())
await t.app.ready()
await t.db.deleteFrom('auth_keys').execute()

test('processes that start at the same time on one database share one key', async () => {
  const keys = await Promise.all(
    Array.from({ length: 8 }, () => loadSigningKey(t.db, 'the same secret')),
  )
  assert.equal(new Set(keys.map(({ kid }) => kid)).size, 1)
  const [stored, ...others] = await t.db.selectFrom('auth_keys').selectAll().execute()
  assert.deepEqual(others, [])
  assert.ok(stored && !stored.sealed_jwk.includes('"d"'), 'it is sealed at rest')
})

test('a different SECRET_KEY is refused with a one-line error, and the stored key is kept', async () => {
  const { kid } = await loadSigningKey(t.db, 'the same secret')
  await assert.rejects(
    loadSigningKey(t.db, 'another secret'),
    /^Error: SECRET_KEY is not the one this database was started with$/,
  )
  assert.equal((await loadSigningKey(t.db, 'the same secret')).kid, kid)
})
