import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type ComparedReply,
  compareMeans,
  comparePairs,
  MAX_COMPARED_GROUPS,
  type Measure,
  pairReplies,
  SCORE_KEY,
} from './compare-campaigns.ts'

const FIGURES = [
  { key: SCORE_KEY, name: 'Score' },
  { key: 'd1', name: 'Écoute' },
]

/** Returns a reply; `percents` are the score and the dimension. */
const replyOf = (
  person_key: string | null,
  [percent = null, dimension = null]: readonly (number | null)[],
  group_name: string | null = null,
): ComparedReply => ({
  person_key,
  group_name,
  percent,
  dimensions: new Map(dimension === null ? [] : [['d1', dimension]]),
})

const percent = fc.option(fc.integer({ min: 0, max: 100 }), { freq: 6 })
const reply = fc.record({
  person_key: fc.integer({ min: 0, max: 60 }).map(String),
  group_name: fc.constantFrom('Nord', 'Sud', null),
  percents: fc.tuple(percent, percent),
})
const campaign = fc.uniqueArray(reply, {
  selector: ({ person_key }) => person_key,
  maxLength: 50,
})
type Row = { person_key: string; group_name: string | null; percents: (number | null)[] }
const repliesOf = (rows: readonly Row[]) =>
  rows.map(({ person_key, group_name, percents }) => replyOf(person_key, percents, group_name))

/** Returns the area below the t density from 0 to t by Simpson's rule, after the substitution t = √ν tan θ. */
const halfArea = (t: number, degrees: number): number => {
  const integrate = (end: number): number => {
    const steps = 400
    const width = end / steps
    let sum = 0
    for (let step = 0; step <= steps; step++) {
      const inner = step % 2 === 1 ? 4 : 2
      const weight = step === 0 || step === steps ? 1 : inner
      // Rounding can make the last cosine negative, which has no fractional power.
      sum += weight * Math.max(0, Math.cos(step * width)) ** (degrees - 1)
    }
    return (sum * width) / 3
  }
  return integrate(Math.atan(t / Math.sqrt(degrees))) / integrate(Math.PI / 2)
}

const knownQuantiles = new Map<number, number>()
/** Returns the 97.5 % quantile, found by numeric integration. */
const quantile = (degrees: number): number => {
  const known = knownQuantiles.get(degrees)
  if (known !== undefined) return known
  let [low, high] = [1.9, 13]
  while (high - low > 1e-10) {
    const middle = (low + high) / 2
    if (halfArea(middle, degrees) < 0.95) low = middle
    else high = middle
  }
  knownQuantiles.set(degrees, low)
  return low
}

const clamp = (value: number): number => Math.max(-100, Math.min(100, value))
const isClose = (first: number, second: number): boolean => Math.abs(first - second) < 1e-6

/** Sums, sums of squares and number of values, from which the expected figures follow. */
const sumsOf = (values: readonly number[]) => {
  let [n, sum, squares] = [0, 0, 0]
  for (const value of values) {
    n++
    sum += value
    squares += value * value
  }
  const mean = sum / n
  const variance = Math.max(0, (squares - (sum * sum) / n) / (n - 1))
  return { n, mean, variance }
}

const assertMeasure = (
  measure: Measure | undefined,
  counts: readonly [number, number],
  expected: { before: number; after: number; half: number } | null,
): void => {
  assert.ok(measure)
  assert.deepEqual([measure.nb_before, measure.nb_after], counts)
  if (!expected) {
    assert.equal(measure.change, null)
    return
  }
  const { before, after, half } = expected
  assert.ok(measure.change)
  const { before_mean, after_mean, mean, low, high } = measure.change
  const figures = [
    before,
    after,
    after - before,
    clamp(after - before - half),
    clamp(after - before + half),
  ]
  for (const [index, found] of [before_mean, after_mean, mean, low, high].entries())
    assert.ok(isClose(found, figures[index] ?? Number.NaN), `${found} ${figures[index]}`)
}

/** Computes the change of people with loops over people, without the functions under test. */
const assertPairs = (
  before: readonly ComparedReply[],
  after: readonly ComparedReply[],
  measures: readonly Measure[],
): void => {
  for (const [rank, read] of [
    (one: ComparedReply) => one.percent,
    (one: ComparedReply) => one.dimensions.get('d1') ?? null,
  ].entries()) {
    const values: [number, number][] = []
    for (const first of before)
      for (const second of after) {
        const [from, to] = [read(first), read(second)]
        if (first.person_key === second.person_key && from !== null && to !== null)
          values.push([from, to])
      }
    const { n, variance } = sumsOf(values.map(([from, to]) => to - from))
    const expected =
      n < 5
        ? null
        : {
            before: sumsOf(values.map(([from]) => from)).mean,
            after: sumsOf(values.map(([, to]) => to)).mean,
            half: quantile(n - 1) * Math.sqrt(variance / n),
          }
    assertMeasure(measures[rank], [n, n], expected)
  }
}

describe('two campaigns compared person by person', () => {
  test('200 random pairs of campaigns have the figures of a second computation', () => {
    fc.assert(
      fc.property(campaign, campaign, (first, second) => {
        const [before, after] = [repliesOf(first), repliesOf(second)]
        const { measures, groups } = comparePairs(pairReplies(before, after), FIGURES)
        assertPairs(before, after, measures)
        for (const { group_name, measures: own } of groups) {
          const isIn = (later: ComparedReply): boolean => {
            const earlier = before.find(({ person_key }) => person_key === later.person_key)
            return (later.group_name ?? earlier?.group_name ?? null) === group_name
          }
          assertPairs(before, after.filter(isIn), own)
        }
      }),
      { numRuns: 200, seed: 87 },
    )
  })

  /** Changes from 50 % of a number of people. */
  const changed = (changes: readonly number[]) => {
    const before = changes.map((_, index) => replyOf(`p${index}`, [50]))
    const after = changes.map((change, index) => replyOf(`p${index}`, [50 + change]))
    return comparePairs(pairReplies(before, after), FIGURES).measures[0]
  }

  const TABLE: { changes: number[]; text: string }[] = [
    { changes: [], text: '0 : trop peu' },
    { changes: [10], text: '1 : trop peu' },
    { changes: [10, 20, 30, 40], text: '4 : trop peu' },
    { changes: [10, 10, 10, 10, 10], text: '5 : 10.00 [10.00 ; 10.00]' },
    { changes: [0, 10, 20, 30, 40], text: '5 : 20.00 [0.37 ; 39.63]' },
    { changes: [-5, -5, 5, 5, 0, 0], text: '6 : 0.00 [-4.69 ; 4.69]' },
    { changes: [-50, 50, -50, 50, -50, 50], text: '6 : 0.00 [-57.48 ; 57.48]' },
  ]
  for (const { changes, text } of TABLE)
    test(`changes of ${changes.join(', ') || 'nobody'} points`, () => {
      const measure = changed(changes)
      const change = measure?.change
      const shown = change
        ? `${change.mean.toFixed(2)} [${change.low.toFixed(2)} ; ${change.high.toFixed(2)}]`
        : 'trop peu'
      assert.equal(`${measure?.nb_after} : ${shown}`, text)
    })

  test('an interval never exceeds the possible changes', () => {
    const before = [0, 100, 0, 100, 0].map((from, index) => replyOf(`p${index}`, [from]))
    const after = [100, 0, 100, 0, 100].map((to, index) => replyOf(`p${index}`, [to]))
    const [measure] = comparePairs(pairReplies(before, after), FIGURES).measures
    assert.equal(measure?.change?.mean, 20)
    assert.equal(measure?.change?.high, 100)
    assert.equal(measure?.change?.low, -100)
  })

  test('a person without a mailbox key is never paired', () => {
    assert.deepEqual(pairReplies([replyOf(null, [1])], [replyOf(null, [2])]), [])
  })

  test('a person without a group later stays in the earlier group', () => {
    const before = [0, 1, 2].map((rank) => replyOf(`p${rank}`, [0], 'Nord'))
    const after = [replyOf('p0', [9]), replyOf('p1', [9], 'Sud'), replyOf('p2', [9], 'Nord')]
    const { groups } = comparePairs(pairReplies(before, after), FIGURES)
    assert.deepEqual(
      groups.map(({ group_name, measures }) => [group_name, measures[0]?.nb_after]),
      [
        ['Nord', 2],
        ['Sud', 1],
      ],
    )
  })

  test('the largest groups are shown, and the others are counted', () => {
    const rows = Array.from({ length: MAX_COMPARED_GROUPS + 3 }, (_, rank) =>
      replyOf(`p${rank}`, [1], `Groupe ${rank}`),
    )
    const big = [0, 1, 2].map((rank) => replyOf(`b${rank}`, [1], 'Zénith'))
    const { groups, nb_left_out_groups } = comparePairs(
      pairReplies([...rows, ...big], [...rows, ...big]),
      FIGURES,
    )
    assert.deepEqual([groups.length, nb_left_out_groups], [MAX_COMPARED_GROUPS, 4])
    assert.equal(groups.at(-1)?.group_name, 'Zénith')
  })
})

describe('two campaigns of which one is anonymous', () => {
  test('200 random pairs of campaigns have the figures of a second computation (Welch)', () => {
    fc.assert(
      fc.property(campaign, campaign, (first, second) => {
        const [before, after] = [repliesOf(first), repliesOf(second)]
        const { measures } = compareMeans(before, after, FIGURES)
        const valuesOf = (replies: readonly ComparedReply[]): number[] =>
          replies.map((one) => one.percent).filter((value) => value !== null)
        const [a, b] = [sumsOf(valuesOf(before)), sumsOf(valuesOf(after))]
        const [u, v] = [a.variance / a.n, b.variance / b.n]
        const degrees = (u + v) ** 2 / ((u * u) / (a.n - 1) + (v * v) / (b.n - 1))
        const expected =
          a.n < 5 || b.n < 5
            ? null
            : {
                before: a.mean,
                after: b.mean,
                half: u + v === 0 ? 0 : quantile(degrees) * Math.sqrt(u + v),
              }
        assertMeasure(measures[0], [a.n, b.n], expected)
      }),
      { numRuns: 200, seed: 87 },
    )
  })

  const many = (count: number, value: number, group_name: string | null): ComparedReply[] =>
    Array.from({ length: count }, () => replyOf(null, [value], group_name))

  test('a group is hidden if the others would be fewer than five', () => {
    const before = [...many(6, 40, 'Nord'), ...many(8, 60, 'Sud'), ...many(3, 90, 'Est')]
    const after = [...many(6, 50, 'Nord'), ...many(8, 70, 'Sud'), ...many(3, 0, 'Est')]
    const { groups } = compareMeans(before, after, FIGURES)
    const shown = groups.filter(({ measures }) => measures[0]?.change).map((one) => one.group_name)
    assert.deepEqual(shown, ['Sud'])
  })

  test('the replies outside the shown groups are none or at least five, for random groups', () => {
    fc.assert(
      fc.property(campaign, campaign, (first, second) => {
        const [before, after] = [repliesOf(first), repliesOf(second)]
        const { measures, groups } = compareMeans(before, after, FIGURES)
        for (const [rank, total] of measures.entries()) {
          const shown = groups.flatMap(({ measures: own }) => (own[rank]?.change ? own[rank] : []))
          for (const side of ['nb_before', 'nb_after'] as const) {
            const rest = shown.reduce((left, one) => left - (one?.[side] ?? 0), total[side])
            assert.ok(shown.length === 0 || rest === 0 || rest >= 5, `${rest}`)
            for (const one of shown) assert.ok((one?.[side] ?? 0) >= 5)
          }
        }
      }),
      { numRuns: 200, seed: 87 },
    )
  })
})
