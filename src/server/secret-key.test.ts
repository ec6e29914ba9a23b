import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadSecretKey } from './secret-key.ts'

const data_dir = mkdtempSync(join(tmpdir(), 'quizaine-key-'))
after(() => rmSync(data_dir, { recursive: true }))

test('a given key is taken as it is', () =>
  assert.equal(loadSecretKey({ secret_key: 'given', data_dir }), 'given'))

test('a key is made once, for its owner’s eyes, and kept', () => {
  const made = loadSecretKey({ secret_key: undefined, data_dir })
  assert.equal(made.length, 32)
  assert.deepEqual(loadSecretKey({ secret_key: undefined, data_dir }), made)
  assert.deepEqual(readdirSync(data_dir), ['secret.key'])
  assert.equal(statSync(join(data_dir, 'secret.key')).mode & 0o777, 0o600)
})
