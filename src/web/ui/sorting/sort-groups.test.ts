import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findPlace, type Groups, moveNextTo, moveOneStep, moveToGroup } from './sort-groups.ts'

const groups: Groups = { 1: ['a', 'b', 'c'], 2: ['d'], 3: [] }

test('findPlace returns the group and the index of an id', () => {
  assert.deepEqual(findPlace(groups, 'c'), { group: '1', index: 2 })
  assert.equal(findPlace(groups, 'z'), undefined)
})

describe('moveNextTo', () => {
  const cases: [id: string, beside: string, isAfter: boolean, expected: Groups][] = [
    ['a', 'c', true, { 1: ['b', 'c', 'a'], 2: ['d'], 3: [] }],
    ['a', 'c', false, { 1: ['b', 'a', 'c'], 2: ['d'], 3: [] }],
    ['c', 'a', false, { 1: ['c', 'a', 'b'], 2: ['d'], 3: [] }],
    ['b', 'd', true, { 1: ['a', 'c'], 2: ['d', 'b'], 3: [] }],
    ['d', 'a', false, { 1: ['d', 'a', 'b', 'c'], 2: [], 3: [] }],
  ]
  for (const [id, beside, isAfter, expected] of cases)
    test(`${id} is placed ${isAfter ? 'after' : 'before'} ${beside}`, () =>
      assert.deepEqual(moveNextTo(groups, id, { beside, isAfter }), expected))

  test('placing an item in its old place returns the same object', () => {
    assert.equal(moveNextTo(groups, 'a', { beside: 'b', isAfter: false }), groups)
    assert.equal(moveNextTo(groups, 'a', { beside: 'a', isAfter: true }), groups)
    assert.equal(moveNextTo(groups, 'a', { beside: 'z', isAfter: true }), groups)
  })

  test('placing an item keeps every id exactly once', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd')
    fc.assert(
      fc.property(id, id, fc.boolean(), (moved, beside, isAfter) => {
        const after = moveNextTo(groups, moved, { beside, isAfter })
        assert.deepEqual(Object.values(after).flat().sort(), ['a', 'b', 'c', 'd'])
      }),
    )
  })
})

describe('moveToGroup', () => {
  test('an empty group receives the item', () =>
    assert.deepEqual(moveToGroup(groups, 'd', { group: '3', isLast: true }), {
      1: ['a', 'b', 'c'],
      2: [],
      3: ['d'],
    }))
  test('an item is placed first or last in a group', () => {
    assert.deepEqual(moveToGroup(groups, 'd', { group: '1', isLast: false })[1], [
      ...['d', 'a', 'b', 'c'],
    ])
    assert.deepEqual(moveToGroup(groups, 'd', { group: '1', isLast: true })[1], [
      ...['a', 'b', 'c', 'd'],
    ])
  })
  test('moving an item to its own group changes nothing', () =>
    assert.equal(moveToGroup(groups, 'a', { group: '1', isLast: true }), groups))
})

describe('moveOneStep', () => {
  const cases: [id: string, to: 'above' | 'below', expected: Groups][] = [
    ['a', 'below', { 1: ['b', 'a', 'c'], 2: ['d'], 3: [] }],
    ['c', 'below', { 1: ['a', 'b'], 2: ['c', 'd'], 3: [] }],
    ['d', 'below', { 1: ['a', 'b', 'c'], 2: [], 3: ['d'] }],
    ['c', 'above', { 1: ['a', 'c', 'b'], 2: ['d'], 3: [] }],
    ['d', 'above', { 1: ['a', 'b', 'c', 'd'], 2: [], 3: [] }],
  ]
  for (const [id, to, expected] of cases)
    test(`${id} moves one step ${to}`, () =>
      assert.deepEqual(moveOneStep(groups, id, to), expected))

  test('an item without another place leaves the groups unchanged, as the same object', () => {
    assert.equal(moveOneStep(groups, 'a', 'above'), groups)
    const atEnd: Groups = { 1: ['a'], 2: ['b'] }
    assert.equal(moveOneStep(atEnd, 'b', 'below'), atEnd)
    assert.equal(moveOneStep(groups, 'z', 'below'), groups)
  })

  test('moving an item down visits every place once, and moving it up visits them in reverse order', () => {
    const sizes = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(sizes, (counts) => {
        const others: Groups = Object.fromEntries(
          counts.map((count, page) => [
            page + 1,
            Array.from({ length: count }, (_, at) => `${page}-${at}`),
          ]),
        )
        const first: Groups = { ...others, 1: ['moved', ...(others[1] ?? [])] }
        const nb_places = Object.values(others).reduce((sum, ids) => sum + ids.length + 1, 0)
        const down = [first]
        for (let step = 1; step < nb_places; step++)
          down.push(moveOneStep(down[step - 1] ?? first, 'moved', 'below'))
        const places = down.map((at) => JSON.stringify(findPlace(at, 'moved')))
        assert.equal(new Set(places).size, nb_places)
        const last = down.at(-1) ?? first
        assert.equal(moveOneStep(last, 'moved', 'below'), last)
        for (let step = nb_places - 1; step > 0; step--)
          assert.deepEqual(moveOneStep(down[step] ?? first, 'moved', 'above'), down[step - 1])
      }),
    )
  })
})
