import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { packIds, unpackIds } from './packed-ids.ts'

type Question = { id: string; text: string; answers: { id: string; text: string }[] }

test('questions and answers get their ids back, and those of the first page are not packed', () => {
  const options = { noNullPrototype: true }
  const answer = fc.record({ id: fc.uuid(), text: fc.constant('x') }, options)
  const question = fc.record(
    { id: fc.uuid(), text: fc.string(), answers: fc.array(answer), is_first: fc.boolean() },
    options,
  )
  fc.assert(
    fc.property(fc.array(question), (whole) => {
      const { questions, ids } = packIds(whole, ({ is_first }) => is_first)
      const page: Question[] = JSON.parse(JSON.stringify(questions))
      const packed = whole.filter(({ is_first }) => !is_first)
      const nb_ids = packed.reduce((sum, { answers }) => sum + 1 + answers.length, 0)
      assert.equal(ids.length, 36 * nb_ids)
      assert.equal(page.filter(({ id }) => id === undefined).length, packed.length)
      unpackIds(page, ids)
      assert.deepEqual(page, whole)
    }),
  )
})
