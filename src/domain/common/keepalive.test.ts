import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canKeepAlive } from './keepalive.ts'

/** Maximum size of a body that browsers send with `keepalive`. */
const MAX_BROWSER_BYTES = 65_536

test('a request without a body may continue after its page is closed', () => {
  assert.equal(canKeepAlive(undefined), true)
})

test('a long body whose characters have several bytes is sent without keepalive', () => {
  for (const character of ['a', 'é', '€', '😀'])
    for (const length of [20_000, 20_001, 22_000, 40_000, 59_999]) {
      const body = character.repeat(length)
      const isRefused = new TextEncoder().encode(body).length > MAX_BROWSER_BYTES
      assert.ok(!(canKeepAlive(body) && isRefused), `${length} times ${character}`)
    }
})

test('a body of 20,000 characters is sent with keepalive, a longer one without', () => {
  assert.equal(canKeepAlive('€'.repeat(20_000)), true)
  assert.equal(canKeepAlive('€'.repeat(20_001)), false)
})
