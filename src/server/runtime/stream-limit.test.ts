import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createStreamLimit } from './stream-limit.ts'

const full = new Error('full')
const response = (): ServerResponse =>
  Object.assign(new EventEmitter(), { destroyed: false }) as ServerResponse
const isFull = { message: 'full' }

test('streams are limited for each account and in total', () => {
  const slots = createStreamLimit({ max_total: 3, max_per_key: 2, refusal: () => full })
  slots.hold('camille', response())
  slots.hold('camille', response())
  assert.throws(() => slots.check('camille'), isFull)
  assert.throws(() => slots.hold('camille', response()), isFull)
  slots.hold('noa', response())
  assert.throws(() => slots.check('noa'), isFull)
})

test('a closed stream releases its place, and a stream that is already closed takes no place', () => {
  const slots = createStreamLimit({ max_total: 1, max_per_key: 1, refusal: () => full })
  const open = response()
  slots.hold('camille', Object.assign(response(), { destroyed: true }))
  slots.hold('camille', open)
  assert.throws(() => slots.check('camille'), isFull)
  open.emit('close')
  slots.check('camille')
})
