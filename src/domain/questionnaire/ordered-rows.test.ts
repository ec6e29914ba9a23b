import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { resultOf } from '#domain/testing/drafts.ts'
import { editRows, rowsUndoGroupKey } from './ordered-rows.ts'
import type { Result } from './quiz.ts'

const moveResult = (results: readonly Result[], from: number, to: number): Result[] =>
  editRows(results, { type: 'moved', from, to }, 'priority_order')

describe('moving a result (product 2.4)', () => {
  const lists = fc
    .uniqueArray(fc.nat(99), { minLength: 1, maxLength: 8 })
    .map((names) =>
      names.map((name, index) => resultOf(`r${name}`, { priority_order: 7 * index - 3 })),
    )

  test('a moved result is at its new index, and the others keep their order', () =>
    fc.assert(
      fc.property(lists, fc.nat(20), fc.nat(20), (list, position, other) => {
        const [from, to] = [position % list.length, other % list.length]
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
      fc.property(lists, fc.nat(20), fc.nat(20), (list, position, other) => {
        const [from, to] = [position % list.length, other % list.length]
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

test('a row is added at its index, changed and removed, and every rank is the index', () => {
  const list = ['x', 'y'].map((id, priority_order) => resultOf(id, { priority_order }))
  const order = (action: Parameters<typeof editRows<'priority_order', Result>>[1]) =>
    editRows(list, action, 'priority_order').map(({ id, name, priority_order }) => [
      id,
      name,
      priority_order,
    ])
  const row = resultOf('z', { name: 'Z', priority_order: 9 })
  const [x, y] = list.map(({ name }) => name)
  assert.deepEqual(order({ type: 'added', row }), [
    ['x', x, 0],
    ['y', y, 1],
    ['z', 'Z', 2],
  ])
  assert.deepEqual(order({ type: 'added', row, index: 1 })[1], ['z', 'Z', 1])
  assert.deepEqual(order({ type: 'changed', id: 'y', fields: { name: 'Y' } })[1], ['y', 'Y', 1])
  assert.deepEqual(order({ type: 'removed', id: 'x' }), [['y', y, 0]])
})

test('only changes of the same fields of a row form one undo step', () => {
  const key = (fields: Partial<Result>) => rowsUndoGroupKey({ type: 'changed', id: 'x', fields })
  assert.equal(key({ name: 'A' }), key({ name: 'AB' }))
  assert.notEqual(key({ name: 'A' }), key({ description: 'A' }))
  assert.equal(rowsUndoGroupKey({ type: 'removed', id: 'x' }), null)
})

test('a move of a row that does not exist loses no row', () => {
  const list = ['x', 'y'].map((id, priority_order) => resultOf(id, { priority_order }))
  for (const from of [-1, 2]) assert.deepEqual(moveResult(list, from, 0), list)
})
