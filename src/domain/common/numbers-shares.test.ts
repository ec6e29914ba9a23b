import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { answerShares, percentageOf, sharesOf } from './numbers.ts'

const counts = fc.array(fc.oneof(fc.nat(5), fc.nat(10_000), fc.nat(100_000_000)), {
  minLength: 1,
  maxLength: 40,
})
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)
/** Tenths of a percent, which floating point cannot add exactly. */
const tenths = (shares: readonly number[]) => shares.map((share) => Math.round(share * 10))

test('shares add up to exactly 100, unless nobody is counted', () =>
  fc.assert(
    fc.property(counts, fc.constantFrom(0 as const, 1 as const), (all, decimals) => {
      const shares = sharesOf(all, { decimals })
      assert.equal(sumOf(tenths(shares)), sumOf(all) === 0 ? 0 : 1_000)
      if (decimals === 0) assert.ok(shares.every(Number.isInteger))
    }),
  ))

test('each share is less than a tenth of a percent from its exact value', () =>
  fc.assert(
    fc.property(counts, (all) => {
      const total = sumOf(all)
      for (const [rank, share] of sharesOf(all).entries())
        assert.ok(total === 0 || Math.abs(share - ((all[rank] ?? 0) * 100) / total) < 0.1)
    }),
  ))

test('a larger count never has a smaller share, and the first of equal counts is rounded up', () =>
  fc.assert(
    fc.property(counts, (all) => {
      const shares = sharesOf(all)
      for (const [a, first] of all.entries())
        for (const [b, second] of all.entries()) {
          if (first > second || (first === second && a < b))
            assert.ok((shares[a] ?? 0) >= (shares[b] ?? 0))
        }
    }),
  ))

test('shares of a total that exceeds the sum are the shares of a list that contains the rest', () =>
  fc.assert(
    fc.property(counts, fc.nat(1_000_000), (all, rest) => {
      const total = sumOf(all) + rest
      assert.deepEqual(sharesOf(all, { total }), sharesOf([...all, rest]).slice(0, -1))
    }),
  ))

test('three equal answers are 33.4, 33.3 and 33.3', () => {
  assert.deepEqual(sharesOf([1, 1, 1]), [33.4, 33.3, 33.3])
  assert.deepEqual(sharesOf([1, 1, 1], { decimals: 0 }), [34, 33, 33])
  assert.deepEqual(sharesOf([2, 1]), [66.7, 33.3])
  assert.deepEqual(sharesOf([1, 0, 9_999]), [0, 0, 100])
  assert.deepEqual(sharesOf([0, 0]), [0, 0])
})

test('shares of several choices are rounded separately and may exceed 100', () => {
  const choices = { total: 3, takes_several: true }
  assert.deepEqual(answerShares([2, 2, 1], choices), [66.7, 66.7, 33.3])
  assert.deepEqual(answerShares([1, 1, 1], { total: 3, takes_several: false }), [33.4, 33.3, 33.3])
  assert.equal(percentageOf(201, 400), 50.3)
  assert.equal(percentageOf(1, 0), 0)
})
