import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { shuffled } from './shuffle.ts'

const letters = ['a', 'b', 'c', 'd']
/** Makes consecutive ids, like those of participants (UUID v7). */
const participant = (rank: number): string =>
  `0193a1b2-c3d4-7000-8000-${rank.toString(16).padStart(12, '0')}`
const QUESTION = '0193a1b2-c3d4-7000-9000-000000000001'
const OTHER_QUESTION = '0193a1b2-c3d4-7000-9000-000000000002'

const NB_DRAWS = 24_000
const NB_ORDERS = 24
/** Bound that chi-square with 23 degrees of freedom exceeds once in a hundred thousand cases. */
const MAX_CHI_SQUARE = 66

/** Returns how far the draws are from equal frequencies. */
const chiSquareOf = (draws: readonly string[], nb_kinds: number): number => {
  const counts = new Map<string, number>()
  for (const draw of draws) counts.set(draw, (counts.get(draw) ?? 0) + 1)
  const expected = draws.length / nb_kinds
  const missing = (nb_kinds - counts.size) * expected
  return [...counts.values()].reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    missing,
  )
}
const ranks = Array.from({ length: NB_DRAWS }, (_, rank) => rank)

describe('the shuffled order', () => {
  test('the shuffled order has the same entries and is equal at every call', () =>
    fc.assert(
      fc.property(fc.array(fc.string()), fc.uuid(), fc.uuid(), (entries, uuid, question_id) => {
        const drawn = shuffled(entries, uuid, question_id)
        assert.deepEqual(drawn.toSorted(), entries.toSorted())
        assert.deepEqual(shuffled(entries, uuid, question_id), drawn)
      }),
    ))

  test('all orders are equally frequent among consecutive participants', () => {
    const draws = ranks.map((rank) => shuffled(letters, participant(rank), QUESTION).join(''))
    assert.equal(new Set(draws).size, NB_ORDERS)
    assert.ok(chiSquareOf(draws, NB_ORDERS) < MAX_CHI_SQUARE)
  })

  test('the orders of two questions are independent', () => {
    const three = letters.slice(0, 3)
    const draws = ranks.map((rank) =>
      [QUESTION, OTHER_QUESTION]
        .map((id) => shuffled(three, participant(rank), id).join(''))
        .join(' '),
    )
    assert.equal(new Set(draws).size, 36)
    // The bound for 35 degrees of freedom.
    assert.ok(chiSquareOf(draws, 36) < 84)
  })
})
