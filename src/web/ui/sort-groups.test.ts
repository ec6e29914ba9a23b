import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findPlace, type Groups, placeBeside, placeInGroup } from './sort-groups.ts'

const groups: Groups = { 1: ['a', 'b', 'c'], 2: ['d'], 3: [] }

test('findPlace', () => {
  assert.deepEqual(findPlace(groups, 'c'), { group: '1', index: 2 })
  assert.equal(findPlace(groups, 'z'), undefined)
})

describe('placeBeside', () => {
  const cases: [id: string, beside: string, isAfter: boolean, expected: Groups][] = [
    ['a', 'c', true, { 1: ['b', 'c', 'a'], 2: ['d'], 3: [] }],
    ['a', 'c', false, { 1: ['b', 'a', 'c'], 2: ['d'], 3: [] }],
    ['c', 'a', false, { 1: ['c', 'a', 'b'], 2: ['d'], 3: [] }],
    ['b', 'd', true, { 1: ['a', 'c'], 2: ['d', 'b'], 3: [] }],
    ['d', 'a', false, { 1: ['d', 'a', 'b', 'c'], 2: [], 3: [] }],
  ]
  for (const [id, beside, isAfter, expected] of cases)
    test(`${id} ${isAfter ? 'after' : 'before'} ${beside}`, () =>
      assert.deepEqual(placeBeside(groups, id, { beside, isAfter }), expected))

  test('what is there already stays the same object', () => {
    assert.equal(placeBeside(groups, 'a', { beside: 'b', isAfter: false }), groups)
    assert.equal(placeBeside(groups, 'a', { beside: 'a', isAfter: true }), groups)
    assert.equal(placeBeside(groups, 'a', { beside: 'z', isAfter: true }), groups)
  })

  test('loses and doubles nothing', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd')
    fc.assert(
      fc.property(id, id, fc.boolean(), (moved, beside, isAfter) => {
        const after = placeBeside(groups, moved, { beside, isAfter })
        assert.deepEqual(Object.values(after).flat().sort(), ['a', 'b', 'c', 'd'])
      }),
    )
  })
})

describe('placeInGroup', () => {
  test('an empty group takes it', () =>
    assert.deepEqual(placeInGroup(groups, 'd', { group: '3', isLast: true }), {
      1: ['a', 'b', 'c'],
      2: [],
      3: ['d'],
    }))
  test('first or last', () => {
    assert.deepEqual(placeInGroup(groups, 'd', { group: '1', isLast: false })[1], [
      ...['d', 'a', 'b', 'c'],
    ])
    assert.deepEqual(placeInGroup(groups, 'd', { group: '1', isLast: true })[1], [
      ...['a', 'b', 'c', 'd'],
    ])
  })
  test('its own group changes nothing', () =>
    assert.equal(placeInGroup(groups, 'a', { group: '1', isLast: true }), groups))
})
