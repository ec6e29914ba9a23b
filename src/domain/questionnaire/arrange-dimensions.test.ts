import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { dimensionOf, draftOf, questionOf, tierOf } from '#domain/testing/drafts.ts'
import { addDimension, addTier, editDimensions, spreadTiers } from './arrange-dimensions.ts'

const [a, b, c] = ['a', 'b', 'c'].map((id, position) => dimensionOf(id, { position }))
assert.ok(a && b && c)
const draft = draftOf({
  dimensions: [a, b, c],
  questions: [questionOf('q', { dimension_id: 'b' }), questionOf('r', { dimension_id: 'c' })],
})

test('a new dimension is the last one, up to the maximum number', () => {
  const added = addDimension(draft, { id: 'd', name: 'Santé' })
  assert.deepEqual(added.dimensions.at(-1), dimensionOf('d', { name: 'Santé', position: 3 }))
  const full = draftOf({
    dimensions: Array.from({ length: LIMITS.dimensions }, (_, position) =>
      dimensionOf(`d${position}`, { position }),
    ),
  })
  assert.equal(addDimension(full, { id: 'd', name: 'Santé' }), full)
})

test('the questions of a removed dimension belong to none, and the ranks have no gap', () => {
  const { dimensions, questions } = editDimensions(draft, { type: 'removed', id: 'b' })
  assert.deepEqual(dimensions, [a, { ...c, position: 1 }])
  assert.deepEqual(
    questions.map(({ dimension_id }) => dimension_id),
    [null, 'c'],
  )
})

test('a moved dimension takes its rank, and the others keep their order', () => {
  const order = (from: number, to: number): string[] =>
    editDimensions(draft, { type: 'moved', from, to }).dimensions.map(
      ({ id, position }) => `${id}${position}`,
    )
  assert.deepEqual(order(0, 2), ['b0', 'c1', 'a2'])
  assert.deepEqual(order(2, 0), ['c0', 'a1', 'b2'])
})

describe('evenly divided tiers', () => {
  const ids = () => {
    let count = 0
    return () => `t${++count}`
  }
  for (let count = 1; count <= LIMITS.tiers_per_dimension; count++)
    test(`${count} tiers cover 0 to 100 exactly once`, () => {
      const tiers = Array.from({ length: count }, (_, rank) => tierOf(`x${rank}`, 0, 0))
      const spread = spreadTiers(tiers, ids())
      const covered = spread.flatMap(({ from_percent, to_percent }) =>
        Array.from({ length: to_percent - from_percent + 1 }, (_, step) => from_percent + step),
      )
      assert.deepEqual(covered, [...Array(101).keys()])
      const sizes = spread.map((tier) => tier.to_percent - tier.from_percent)
      assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1)
    })
  test('a dimension without tiers gets the three usual ones', () =>
    assert.deepEqual(
      spreadTiers([], ids()).map((tier) => [
        tier.id,
        tier.from_percent,
        tier.to_percent,
        tier.title,
      ]),
      [
        ['t1', 0, 33, 'Faible'],
        ['t2', 34, 67, 'Moyen'],
        ['t3', 68, 100, 'Fort'],
      ],
    ))
  test('titles and texts stay, and a blank title gets the usual one', () =>
    assert.deepEqual(
      spreadTiers(
        [tierOf('x', 3, 4, { title: 'À revoir', text: 'Non' }), tierOf('y', 9, 9, { title: ' ' })],
        ids(),
      ),
      [
        { id: 'x', from_percent: 0, to_percent: 50, title: 'À revoir', text: 'Non' },
        { id: 'y', from_percent: 51, to_percent: 100, title: 'Fort', text: null },
      ],
    ))
})

test('a new tier begins after the highest one and ends at 100', () => {
  assert.deepEqual(addTier([tierOf('x', 0, 40)], 'y')[1], tierOf('y', 41, 100, { title: '' }))
  assert.deepEqual(addTier([tierOf('x', 0, 100)], 'y')[1], tierOf('y', 100, 100, { title: '' }))
})
