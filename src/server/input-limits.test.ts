import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { contractCalls } from './testing/app/contract-calls.ts'
import { findUnlimited } from './testing/quizzes/largest-input.ts'

describe('the limits of every text, list and map in the input of a call', () => {
  for (const [name, endpoint] of contractCalls)
    test(`every text, list and map in the input of ${name} has a limit`, () =>
      assert.deepEqual(findUnlimited(name, endpoint), []))
})

test('a field without a limit is reported by name', () => {
  const body = z.object({
    name: z.string(),
    short: z.string().max(10),
    tags: z.array(z.string().max(5)),
    counts: z.record(z.string().max(5), z.int()),
  })
  const call = { method: 'POST', path: '/x', access: 'creator', summary: '', body } as const
  assert.deepEqual(findUnlimited('x', call), ['x: name', 'x: tags', 'x: counts'])
})
