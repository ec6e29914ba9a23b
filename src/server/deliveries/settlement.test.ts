import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure } from '#server/integrations/providers/provider.ts'
import {
  credential,
  permanent,
  rateLimited,
  transient,
  unknown,
} from '#server/integrations/providers/provider-requests.ts'
import { decideAfterFailure } from './settlement.ts'

const cases: [name: string, failure: Failure, before: number, status: string, counts: boolean][] = [
  ['a refusal is final', permanent('invalid_email'), 0, 'refused', true],
  ['a second unknown answer is tried again', unknown('http_418'), 1, 'pending', true],
  ['a third unknown answer is final', unknown('http_418'), 2, 'refused', true],
  ['a temporary failure is tried again', transient('network'), 20, 'pending', true],
  ['a limit of the account counts as no attempt', rateLimited(5_000), 20, 'pending', false],
  ['a blocked account counts as no attempt', credential('invalid_key'), 20, 'pending', false],
]
for (const [name, failure, before, status, counts] of cases)
  test(`the outcome of a failed attempt is decided: ${name}`, () => {
    const verdict = decideAfterFailure(failure, before, { chance: 0.5 })
    assert.deepEqual([verdict.status, verdict.is_attempt], [status, counts])
    assert.equal(verdict.next_in === null, status === 'refused')
  })
