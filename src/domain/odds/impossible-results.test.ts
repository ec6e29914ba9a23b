import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Answer, Question, QuizTies } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { PUBLIC_RULES, type Scorable, shownResults } from '#domain/run/scoring.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { enumerableQuizzes, listRuns } from '#domain/testing/enumerable-quizzes.ts'
import { type Impossibility, impossibleResults } from './impossible-results.ts'
import { oddsOf } from './odds.ts'

type Tiers = Record<string, [from: number | null, to: number | null]>
type Links = Record<string, number>

const questionsOf = <Given>(
  all: readonly (readonly Given[])[],
  answerAs: (given: Given) => Partial<Answer> & { counts_for?: Links },
): Question[] =>
  all.map((answers, rank) =>
    questionOf(`q${rank}`, {
      global_position: rank,
      answers: answers.map((given, at) => answerOf(`q${rank}a${at}`, answerAs(given))),
    }),
  )

const byScore = (scores: number[][], tiers: Tiers): Scorable =>
  takeSnapshot(
    draftOf({
      quiz_mode: 'score',
      questions: questionsOf(scores, (score) => ({ score })),
      results: Object.entries(tiers).map(([id, [min_score, max_score]], priority_order) =>
        resultOf(id, { min_score, max_score, priority_order }),
      ),
    }),
  )

const byProfiles = (links: Links[][], ids: string[], ties: Partial<QuizTies> = {}): Scorable =>
  takeSnapshot(
    draftOf({
      quiz: quizOf(ties),
      quiz_mode: 'profils',
      questions: questionsOf(links, (counts_for) => ({ counts_for })),
      results: ids.map((id, priority_order) => resultOf(id, { priority_order })),
    }),
  )

const named = (id: string) => ({ id, name: id })

/** Two questions with totals from 3 to 12, except 4 to 6 and 9 to 11. */
const SCORES = [
  [1, 5],
  [2, 7],
]
const A_AND_B: Links[] = [{ A: 1 }, { B: 1 }]
/** Rule that shows all tied results. */
const BOTH = { tie_rule: 'both' } as const
const cases: [name: string, counted: Scorable, expected: Record<string, Impossibility>][] = [
  ['tiers that runs reach', byScore(SCORES, { A: [0, 6], B: [7, 12] }), {}],
  [
    'a tier that begins above all totals',
    byScore(SCORES, { A: [0, 12], B: [13, 15] }),
    { B: { kind: 'tier_above', tier: { from: 13, to: 15 }, totals: { from: 3, to: 12 } } },
  ],
  [
    'a tier that ends below all totals',
    byScore(SCORES, { A: [3, null], B: [null, 2] }),
    { B: { kind: 'tier_below', tier: { from: 0, to: 2 }, totals: { from: 3, to: 12 } } },
  ],
  [
    'a tier between totals that runs have',
    byScore(SCORES, { A: [0, 8], B: [9, 11], C: [12, 12] }),
    { B: { kind: 'tier_between', tier: { from: 9, to: 11 }, below: 8, above: 12 } },
  ],
  [
    'a tier of which others hold every total that runs have',
    byScore(SCORES, { A: [0, 3], B: [4, 9], C: [3, 8], D: [10, 20] }),
    { C: { kind: 'tier_held', tier: { from: 3, to: 8 }, by: [named('A'), named('B')] } },
  ],
  [
    'a tier the wrong way round',
    byScore(SCORES, { A: [0, 20], B: [8, 3] }),
    { B: { kind: 'tier_empty', tier: { from: 8, to: 3 } } },
  ],
  ['the first result, which runs get that nothing matches', byScore(SCORES, { A: [13, 15] }), {}],
  [
    'the first result, when every total has another',
    byScore(SCORES, { A: [13, 15], B: [0, 12] }),
    { A: { kind: 'tier_above', tier: { from: 13, to: 15 }, totals: { from: 3, to: 12 } } },
  ],
  ['profiles that answers lead to', byProfiles([A_AND_B], ['A', 'B']), {}],
  [
    'a profile that no answer leads to',
    byProfiles([A_AND_B], ['A', 'B', 'C']),
    { C: { kind: 'no_answer' } },
  ],
  [
    'a profile that has less than another in every run',
    byProfiles([[{ A: 2, B: 1 }, { A: 1 }], [{ A: 1 }]], ['B', 'A']),
    { B: { kind: 'always_fewer', than: named('A') } },
  ],
  [
    'one that another beats by an answer elsewhere',
    byProfiles(
      [
        [{ A: 2 }, { A: 3 }],
        [{ B: 1 }, { A: 1 }],
      ],
      ['B', 'A'],
    ),
    { B: { kind: 'always_fewer', than: named('A') } },
  ],
  [
    'a profile that has as much as one before it at best',
    byProfiles([[{ A: 1, B: 1 }, { A: 1 }]], ['A', 'B']),
    { B: { kind: 'loses_ties', to: named('A') } },
  ],
  [
    'one that has as much, and comes first',
    byProfiles([[{ A: 1, B: 1 }, { A: 1 }]], ['B', 'A']),
    {},
  ],
  [
    'a profile that is beaten now by one, now by another',
    byProfiles(
      [
        [
          { A: 2, C: 1 },
          { B: 2, C: 1 },
        ],
      ],
      ['A', 'B', 'C'],
    ),
    { C: { kind: 'never_highest', nb_combinations: 2 } },
  ],
  [
    'one that has as much as one before it at best, where every equal is shown',
    byProfiles([[{ A: 1, B: 1 }, { A: 1 }]], ['A', 'B'], BOTH),
    {},
  ],
  [
    'one that has as much now as one, now as another before it, where every equal is shown',
    byProfiles(
      [
        [
          { A: 1, C: 1 },
          { B: 1, C: 1 },
        ],
      ],
      ['A', 'B', 'C'],
      BOTH,
    ),
    {},
  ],
  [
    'profiles that are never among the equals, which are all shown',
    byProfiles([[{ A: 2, B: 1 }, { A: 1 }], [{ A: 1 }]], ['A', 'B', 'C'], BOTH),
    { B: { kind: 'always_fewer', than: named('A') }, C: { kind: 'no_answer' } },
  ],
]
for (const [name, counted, expected] of cases)
  test(name, () => {
    const odds = oddsOf(counted)
    assert.ok(odds)
    const found = impossibleResults(counted, odds).map(({ id, why }) => [id, why])
    assert.deepEqual(Object.fromEntries(found), expected)
  })

test('with simulated odds, only results with a proof from single answers are returned', () => {
  const drawn = (counted: Scorable) => {
    const limits = { most_states: 0, most_work: 0, most_choices: 2_000, nb_draws: 1 }
    const odds = oddsOf(counted, new Map(), limits)
    assert.equal(odds?.is_exact, false)
    return odds ? impossibleResults(counted, odds).map(({ why }) => why.kind) : []
  }
  const between = byScore(SCORES, { A: [0, 8], B: [9, 11], C: [12, 12] })
  assert.deepEqual(drawn(between), [])
  assert.deepEqual(drawn(byScore(SCORES, { A: [0, 12], B: [13, 15] })), ['tier_above'])
  assert.deepEqual(drawn(byScore(SCORES, { A: [0, 12], B: [4, 8] })), ['tier_held'])
  assert.deepEqual(drawn(byProfiles([A_AND_B], ['A', 'B', 'C'])), ['no_answer'])
  assert.deepEqual(
    drawn(
      byProfiles(
        [
          [
            { A: 2, C: 1 },
            { B: 2, C: 1 },
          ],
        ],
        ['A', 'B', 'C'],
      ),
    ),
    [],
  )
})

const limits = { most_choices: 2_000, nb_draws: 20 }
for (const [name, more] of [
  ['exact', { most_states: 200_000, most_work: 2_000_000 }],
  ['drawn', { most_states: 0, most_work: 0 }],
] as const)
  test(`no run gives an impossible result, with ${name} odds`, () => {
    fc.assert(
      fc.property(enumerableQuizzes, (counted) => {
        const runs = listRuns(counted)
        fc.pre(runs !== null)
        const exact = oddsOf(counted)
        const odds = oddsOf(counted, new Map(), { ...limits, ...more })
        assert.ok(exact?.is_exact && odds)
        const impossible = new Set(impossibleResults(counted, odds).map(({ id }) => id))
        const shown = new Set(
          runs.flatMap(({ replies }) =>
            shownResults(counted, replies, PUBLIC_RULES).map(({ id }) => id),
          ),
        )
        for (const id of shown) assert.ok(!impossible.has(id), `${id} comes out`)
        // Results that are shown only in ties are not distinguished from impossible results.
        if (!odds.is_exact || counted.quiz.tie_rule === 'both') return
        for (const { id, probability } of exact.results)
          assert.equal(impossible.has(id), probability === 0, `${id} never comes out`)
      }),
      { numRuns: 1_000 },
    )
  })

test('every proof is true for all runs', () => {
  fc.assert(
    fc.property(enumerableQuizzes, (counted) => {
      const runs = listRuns(counted)
      fc.pre(runs !== null)
      const odds = oddsOf(counted)
      assert.ok(odds)
      const totals = odds.totals.map(({ total }) => total)
      for (const { why } of impossibleResults(counted, odds)) {
        if (!('tier' in why)) continue
        const within = totals.filter((total) => why.tier.from <= total && total <= why.tier.to)
        assert.equal(within.length > 0, why.kind === 'tier_held')
        if (why.kind !== 'tier_between') continue
        assert.ok(totals.includes(why.below) && totals.includes(why.above))
        assert.ok(!totals.some((total) => why.below < total && total < why.above))
      }
    }),
    { numRuns: 500 },
  )
})
