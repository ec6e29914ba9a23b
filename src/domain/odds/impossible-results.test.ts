import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Answer, Question, QuizTies } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { PUBLIC_RULES, type ScoredQuiz, shownResults } from '#domain/run/scoring.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { enumerableQuizzes, listRuns } from '#domain/testing/enumerable-quizzes.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { findImpossibleResults, type Impossibility } from './impossible-results.ts'
import { computeOdds } from './odds.ts'

type Tiers = Record<string, [from: number | null, to: number | null]>
type Links = Record<string, number>

const createQuestions = <Value>(
  all: readonly (readonly Value[])[],
  toAnswer: (value: Value) => Partial<Answer> & { counts_for?: Links },
): Question[] =>
  all.map((answers, rank) =>
    questionOf(`q${rank}`, {
      global_position: rank,
      answers: answers.map((value, at) => answerOf(`q${rank}a${at}`, toAnswer(value))),
    }),
  )

const scoreQuiz = (scores: number[][], tiers: Tiers): ScoredQuiz =>
  takeSnapshot(
    draftOf({
      quiz_mode: 'score',
      questions: createQuestions(scores, (score) => ({ score })),
      results: Object.entries(tiers).map(([id, [min_score, max_score]], priority_order) =>
        resultOf(id, { min_score, max_score, priority_order }),
      ),
    }),
  )

const profileQuiz = (links: Links[][], ids: string[], ties: Partial<QuizTies> = {}): ScoredQuiz =>
  takeSnapshot(
    draftOf({
      quiz: quizOf(ties),
      quiz_mode: 'profils',
      questions: createQuestions(links, (counts_for) => ({ counts_for })),
      results: ids.map((id, priority_order) => resultOf(id, { priority_order })),
    }),
  )

const resultNamed = (id: string) => ({ id, name: id })

/** Scores of two questions, with the possible totals 3, 7, 8 and 12. */
const TWO_QUESTIONS = [
  [1, 5],
  [2, 7],
]
const A_AND_B: Links[] = [{ A: 1 }, { B: 1 }]
/** Rule that shows all tied results. */
const SHOW_ALL_TIED = { tie_rule: 'both' } as const
const cases: [name: string, quiz_content: ScoredQuiz, expected: Record<string, Impossibility>][] = [
  [
    'a result whose tier contains a possible total is not impossible',
    scoreQuiz(TWO_QUESTIONS, { A: [0, 6], B: [7, 12] }),
    {},
  ],
  [
    'a result whose tier begins above all possible totals is impossible',
    scoreQuiz(TWO_QUESTIONS, { A: [0, 12], B: [13, 15] }),
    { B: { kind: 'tier_above', tier: { from: 13, to: 15 }, totals: { from: 3, to: 12 } } },
  ],
  [
    'a result whose tier ends below all possible totals is impossible',
    scoreQuiz(TWO_QUESTIONS, { A: [3, null], B: [null, 2] }),
    { B: { kind: 'tier_below', tier: { from: 0, to: 2 }, totals: { from: 3, to: 12 } } },
  ],
  [
    'a result whose tier lies between two possible totals is impossible',
    scoreQuiz(TWO_QUESTIONS, { A: [0, 8], B: [9, 11], C: [12, 12] }),
    { B: { kind: 'tier_between', tier: { from: 9, to: 11 }, below: 8, above: 12 } },
  ],
  [
    'a result is impossible if tiers of results with priority contain all possible totals of its tier',
    scoreQuiz(TWO_QUESTIONS, { A: [0, 3], B: [4, 9], C: [3, 8], D: [10, 20] }),
    {
      C: {
        kind: 'tier_covered',
        tier: { from: 3, to: 8 },
        by: [resultNamed('A'), resultNamed('B')],
      },
    },
  ],
  [
    'a result whose tier begins after its end is impossible',
    scoreQuiz(TWO_QUESTIONS, { A: [0, 20], B: [8, 3] }),
    { B: { kind: 'tier_empty', tier: { from: 8, to: 3 } } },
  ],
  [
    'the first result is not impossible if a run matches no result',
    scoreQuiz(TWO_QUESTIONS, { A: [13, 15] }),
    {},
  ],
  [
    'the first result is impossible if every possible total is in another tier',
    scoreQuiz(TWO_QUESTIONS, { A: [13, 15], B: [0, 12] }),
    { A: { kind: 'tier_above', tier: { from: 13, to: 15 }, totals: { from: 3, to: 12 } } },
  ],
  ['a profile with an associated answer is not impossible', profileQuiz([A_AND_B], ['A', 'B']), {}],
  [
    'a profile without an associated answer is impossible',
    profileQuiz([A_AND_B], ['A', 'B', 'C']),
    { C: { kind: 'no_answer' } },
  ],
  [
    'a profile that has fewer points than another in every run is impossible',
    profileQuiz([[{ A: 2, B: 1 }, { A: 1 }], [{ A: 1 }]], ['B', 'A']),
    { B: { kind: 'always_fewer', than: resultNamed('A') } },
  ],
  [
    'a profile is impossible if another always has more points because of a different question',
    profileQuiz(
      [
        [{ A: 2 }, { A: 3 }],
        [{ B: 1 }, { A: 1 }],
      ],
      ['B', 'A'],
    ),
    { B: { kind: 'always_fewer', than: resultNamed('A') } },
  ],
  [
    'a profile that can at best tie with a profile with priority is impossible',
    profileQuiz([[{ A: 1, B: 1 }, { A: 1 }]], ['A', 'B']),
    { B: { kind: 'loses_ties', to: resultNamed('A') } },
  ],
  [
    'a profile that can at best tie is not impossible if it has priority',
    profileQuiz([[{ A: 1, B: 1 }, { A: 1 }]], ['B', 'A']),
    {},
  ],
  [
    'a profile is impossible if each run has another profile with more points',
    profileQuiz(
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
    'a profile that can at best tie is not impossible if all tied profiles are shown',
    profileQuiz([[{ A: 1, B: 1 }, { A: 1 }]], ['A', 'B'], SHOW_ALL_TIED),
    {},
  ],
  [
    'a profile that ties with a different profile in each run is not impossible if all tied profiles are shown',
    profileQuiz(
      [
        [
          { A: 1, C: 1 },
          { B: 1, C: 1 },
        ],
      ],
      ['A', 'B', 'C'],
      SHOW_ALL_TIED,
    ),
    {},
  ],
  [
    'a profile that never ties is impossible even if all tied profiles are shown',
    profileQuiz([[{ A: 2, B: 1 }, { A: 1 }], [{ A: 1 }]], ['A', 'B', 'C'], SHOW_ALL_TIED),
    { B: { kind: 'always_fewer', than: resultNamed('A') }, C: { kind: 'no_answer' } },
  ],
]
for (const [name, quiz_content, expected] of cases)
  test(name, () => {
    const odds = computeOdds(quiz_content)
    assert.ok(odds)
    const found = findImpossibleResults(quiz_content, odds).map(({ id, why }) => [id, why])
    assert.deepEqual(Object.fromEntries(found), expected)
  })

test('with simulated odds, a result is impossible only with a proof that does not need exact odds', () => {
  const simulatedKinds = (quiz_content: ScoredQuiz) => {
    const limits = {
      max_states: 0,
      max_operations: 0,
      max_listed_choices: 2_000,
      nb_simulated_runs: 1,
    }
    const odds = computeOdds(quiz_content, new Map(), limits)
    assert.equal(odds?.is_exact, false)
    return odds ? findImpossibleResults(quiz_content, odds).map(({ why }) => why.kind) : []
  }
  const betweenTotals = scoreQuiz(TWO_QUESTIONS, { A: [0, 8], B: [9, 11], C: [12, 12] })
  assert.deepEqual(simulatedKinds(betweenTotals), [])
  assert.deepEqual(simulatedKinds(scoreQuiz(TWO_QUESTIONS, { A: [0, 12], B: [13, 15] })), [
    'tier_above',
  ])
  assert.deepEqual(simulatedKinds(scoreQuiz(TWO_QUESTIONS, { A: [0, 12], B: [4, 8] })), [
    'tier_covered',
  ])
  assert.deepEqual(simulatedKinds(profileQuiz([A_AND_B], ['A', 'B', 'C'])), ['no_answer'])
  assert.deepEqual(
    simulatedKinds(
      profileQuiz(
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

const limits = { max_listed_choices: 2_000, nb_simulated_runs: 20 }
for (const [name, more] of [
  ['exact', { max_states: 200_000, max_operations: 2_000_000 }],
  ['simulated', { max_states: 0, max_operations: 0 }],
] as const)
  test(`no run gives a result that ${name} odds declare impossible`, () => {
    fc.assert(
      fc.property(enumerableQuizzes, (quiz_content) => {
        const runs = listRuns(quiz_content)
        fc.pre(runs !== null)
        const exact = computeOdds(quiz_content)
        const odds = computeOdds(quiz_content, new Map(), { ...limits, ...more })
        assert.ok(exact?.is_exact && odds)
        const impossible = new Set(findImpossibleResults(quiz_content, odds).map(({ id }) => id))
        const shown = new Set(
          runs.flatMap(({ replies }) =>
            shownResults(quiz_content, replies, PUBLIC_RULES).map(({ id }) => id),
          ),
        )
        for (const id of shown) assert.ok(!impossible.has(id), `${id} comes out`)
        // Results that are shown only in ties are not distinguished from impossible results.
        if (!odds.is_exact || quiz_content.quiz.tie_rule === 'both') return
        for (const { id, probability } of exact.results)
          assert.equal(impossible.has(id), probability === 0, `${id} never comes out`)
      }),
      { numRuns: countCases(1_000) },
    )
  })

test('the reason why a tier is impossible holds for all possible totals', () => {
  fc.assert(
    fc.property(enumerableQuizzes, (quiz_content) => {
      const runs = listRuns(quiz_content)
      fc.pre(runs !== null)
      const odds = computeOdds(quiz_content)
      assert.ok(odds)
      const totals = odds.totals.map(({ total }) => total)
      for (const { why } of findImpossibleResults(quiz_content, odds)) {
        if (!('tier' in why)) continue
        const within = totals.filter((total) => why.tier.from <= total && total <= why.tier.to)
        assert.equal(within.length > 0, why.kind === 'tier_covered')
        if (why.kind !== 'tier_between') continue
        assert.ok(totals.includes(why.below) && totals.includes(why.above))
        assert.ok(!totals.some((total) => why.below < total && total < why.above))
      }
    }),
    { numRuns: countCases(500) },
  )
})
