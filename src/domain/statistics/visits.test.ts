import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { skippedStepsQuery, stepsIn } from '#domain/run/path.ts'
import { funnelOf, lastStep, spanOf, stepsTo, worstStep } from './visits.ts'

test('a version with three pages has all steps, also those without visits', () => {
  const counts = [
    { step: 1, count: 40 },
    { step: 2, count: 30 },
    { step: 4, count: 12 },
  ]
  assert.deepEqual(funnelOf(counts, { nb_pages: 3, nb_participants: 9 }), [
    { kind: 'opened', page: null, count: 40 },
    { kind: 'began', page: null, count: 30 },
    { kind: 'page', page: 2, count: 12 },
    { kind: 'page', page: 3, count: 12 },
    { kind: 'finished', page: null, count: 9 },
  ])
})

test('counts never increase, and the last step has the participants, for any counts', () =>
  fc.assert(
    fc.property(
      fc.nat(8),
      fc.nat(50),
      fc.array(fc.record({ step: fc.nat(12), count: fc.nat(60) })),
      (nb_pages, nb_participants, counts) => {
        const funnel = funnelOf(counts, { nb_pages, nb_participants })
        assert.equal(funnel.length, lastStep(nb_pages) + 1)
        assert.equal(funnel.at(-1)?.count, nb_participants)
        for (const [rank, { count }] of funnel.entries())
          assert.ok(count >= (funnel[rank + 1]?.count ?? 0))
      },
    ),
  ))

test('with jumps, a page has the participants who visited it', () => {
  const counts = [
    { step: 1, count: 40 },
    { step: 2, count: 30 },
    { step: 3, count: 5 },
    { step: 4, count: 20 },
  ]
  const passed = new Map([
    [1, 9],
    [2, 7],
    [3, 9],
    [4, 2],
  ])
  assert.deepEqual(
    funnelOf(counts, { nb_pages: 5, nb_participants: 9, passed }).map(({ count }) => count),
    // No one is known to have visited page 5, which has no question.
    [40, 30, 7, 20, 2, 0, 9],
  )
  assert.deepEqual(
    funnelOf([], { nb_pages: 2, nb_participants: 9, passed }).map(({ count }) => count),
    [9, 9, 7, 9],
  )
})

test('a run reaches the steps of the pages on its path', () => {
  const isPassed = (index: number): boolean => index !== 2
  assert.deepEqual(stepsTo(-1, false, isPassed), [1])
  assert.deepEqual(stepsTo(0, false, isPassed), [1])
  assert.deepEqual(stepsTo(0, true, isPassed), [1, 2])
  assert.deepEqual(stepsTo(3, true, isPassed), [1, 2, 3, 5])
  assert.equal(stepsTo(3, true, () => true).at(-1), lastStep(4))
})

test('the span of a visit and its skipped steps give all its steps', () =>
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 30 })), (some) => {
      const steps = some.toSorted((a, b) => a - b)
      const span = spanOf(steps)
      assert.deepEqual(span ? stepsIn(span) : [], steps)
      if (span)
        assert.equal(skippedStepsQuery(span, '?') === '', span.to - span.from === steps.length)
    }),
  ))

test('the worst step loses the largest share of its own visits', () => {
  const table: [counts: number[], worst: number | null][] = [
    [[], null],
    [[5], null],
    [[5, 5, 5], null],
    [[0, 0], null],
    [[100, 90, 45, 44], 1],
    [[100, 50, 25], 0],
    [[10, 10, 0], 1],
  ]
  for (const [counts, worst] of table)
    assert.equal(worstStep(counts.map((count) => ({ count }))), worst, counts.join())
})
