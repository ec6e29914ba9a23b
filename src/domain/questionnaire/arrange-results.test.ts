import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { resultOf } from '#domain/testing/drafts.ts'
import { moveResult } from './arrange.ts'

describe('moving a result (product 2.4)', () => {
  const lists = fc
    .uniqueArray(fc.nat(99), { minLength: 1, maxLength: 8 })
    .map((names) =>
      names.map((name, index) => resultOf(`r${name}`, { priority_order: 7 * index - 3 })),
    )

  test('a moved result is at its new index, and the others keep their order', () =>
    fc.assert(
      fc.property(lists, fc.nat(20), fc.nat(20), (list, one, other) => {
        const [from, to] = [one % list.length, other % list.length]
        const lifted = list[from]?.id
        const moved = moveResult(list, from, to)
        assert.equal(moved[to]?.id, lifted)
        assert.deepEqual(
          moved.map(({ priority_order }) => priority_order),
          list.map((_, index) => index),
        )
        const others = (results: typeof list) =>
          results.filter(({ id }) => id !== lifted).map(({ id, name }) => [id, name])
        assert.deepEqual(others(moved), others(list))
      }),
    ))

  test('moving a result to another place and back restores the order', () =>
    fc.assert(
      fc.property(lists, fc.nat(20), fc.nat(20), (list, one, other) => {
        const [from, to] = [one % list.length, other % list.length]
        assert.deepEqual(
          moveResult(moveResult(list, from, to), to, from).map(({ id }) => id),
          list.map(({ id }) => id),
        )
      }),
    ))
})

test('moving a result rewrites priority_order as the index', () => {
  const list = ['x', 'y', 'z'].map((id, priority_order) => resultOf(id, { priority_order }))
  assert.deepEqual(
    moveResult(list, 0, 2).map(({ id, priority_order }) => [id, priority_order]),
    [
      ['y', 0],
      ['z', 1],
      ['x', 2],
    ],
  )
})
