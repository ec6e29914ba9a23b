import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexAfterKey } from './card-arrows.ts'

const GRID = { count: 8, columns: 3 }
const from = (index: number) =>
  ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => indexAfterKey(key, index, GRID))

test('arrow keys lead to the neighbouring cards, and nowhere beyond the ends', () => {
  assert.deepEqual(from(4), [3, 5, 1, 7])
  assert.deepEqual(from(0), [undefined, 1, undefined, 3])
  assert.deepEqual(from(1), [0, 2, undefined, 4])
  assert.deepEqual(from(7), [6, undefined, 4, undefined])
})

test('the left and right arrows continue in the next row, and the down arrow reaches the last row from every column', () => {
  assert.deepEqual(from(2), [1, 3, undefined, 5])
  assert.deepEqual(from(5), [4, 6, 2, 7])
})

test('other keys lead nowhere, and in one column left and right lead nowhere', () => {
  assert.equal(indexAfterKey('Enter', 1, GRID), undefined)
  assert.equal(indexAfterKey('ArrowDown', 0, { count: 2, columns: 1 }), 1)
  assert.equal(indexAfterKey('ArrowDown', 0, { count: 1, columns: 1 }), undefined)
})
