import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { NUMBER_PATTERN, summariseNumbers } from './numbers.ts'
import { readNumber } from './read-number.ts'

describe('readNumber', () => {
  const cases: [string, number | null][] = [
    ['12', 12],
    [' 12,5 ', 12.5],
    ['12.5', 12.5],
    ['1 200', 1200],
    ['1\u202f200,50', 1200.5],
    ['-3', -3],
    ['−3', -3],
    ['1.234,56', null],
    ['1,234.56', null],
    ['1.234.567', null],
    ['+3', 3],
    ['1e3', 1000],
    [',5', 0.5],
    ['12.', 12],
    ['', null],
    ['douze', null],
    ['12 ans', null],
    ['1,2,3', null],
    ['0x10', null],
    ['Infinity', null],
    ['1e300', null],
  ]
  for (const [text, expected] of cases)
    test(`readNumber reads ${JSON.stringify(text)} as ${expected}`, () =>
      assert.equal(readNumber(text), expected))
})

test('a number field accepts what `readNumber` reads, decimal commas included', () => {
  // Browsers match a pattern against the whole value.
  const field = new RegExp(`^(?:${NUMBER_PATTERN})$`, 'v')
  for (const text of ['3,5', '3.5', '-3', '−3', ' 1 200,50 ', '+,5', '12.']) {
    assert.match(text, field)
    assert.notEqual(readNumber(text), null)
  }
  for (const text of ['trois', '1,2,3', ' ', '3 ans', '-']) {
    assert.doesNotMatch(text, field)
    assert.equal(readNumber(text), null)
  }
})

describe('summarise', () => {
  const of = (...values: number[]) => summariseNumbers(values.map((value) => ({ value, count: 1 })))

  test('an empty list of numbers has no summary', () => assert.equal(of(), null))

  test('the summary has the mean and the median of odd and even counts', () => {
    assert.deepEqual([of(1, 2, 9)?.mean, of(1, 2, 9)?.median], [4, 2])
    assert.deepEqual([of(1, 2, 3, 10)?.mean, of(1, 2, 3, 10)?.median], [4, 2.5])
    assert.equal(
      summariseNumbers([
        { value: 5, count: 3 },
        { value: 1, count: 1 },
      ])?.median,
      5,
    )
  })

  test('histogram columns have round limits and no gaps', () => {
    assert.deepEqual(
      of(18, 25, 31, 64)
        ?.histogram.map(({ from, to }) => [from, to])
        .slice(0, 2),
      [
        [15, 20],
        [20, 25],
      ],
    )
    assert.deepEqual(of(7)?.histogram, [{ from: 7, to: 8, count: 1 }])
    assert.deepEqual(
      of(0, 1)?.histogram.map(({ count }) => count),
      [1, 1],
    )
  })

  test('histogram columns contain all numbers, and their number is limited', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            value: fc.oneof(
              fc.integer({ min: -200, max: 200 }),
              fc.double({ min: -1e15, max: 1e15, noNaN: true }),
            ),
            count: fc.integer({ min: 1, max: 50 }),
          }),
          { minLength: 1, maxLength: 40 },
        ),
        (given) => {
          const people = given.reduce((sum, { count }) => sum + count, 0)
          const summary = summariseNumbers(given)
          assert.ok(summary)
          assert.equal(summary.count, people)
          assert.equal(
            summary.histogram.reduce((sum, { count }) => sum + count, 0),
            people,
          )
          assert.ok(summary.histogram.length <= 18, String(summary.histogram.length))
          assert.ok(summary.min <= summary.median && summary.median <= summary.max)
        },
      ),
      {
        examples: [
          [
            [
              { value: 0, count: 1 },
              { value: -5e-324, count: 1 },
            ],
          ],
        ],
      },
    ))
})
