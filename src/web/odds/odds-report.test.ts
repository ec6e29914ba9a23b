import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TieRule } from '#domain/common/vocabulary.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import {
  oddsBasisSentence,
  publishWarnings,
  resultProbabilityLabel,
  tieWinnersSentence,
  totalsWarnings,
} from './odds-labels.ts'
import { computeOddsReport } from './odds-report.ts'

/** Returns the task of a quiz by score with two questions of 1 or 5 points, and these tiers. */
const scoreTask = (...tiers: [name: string, min_score: number, max_score: number][]) => ({
  draft: draftOf({
    quiz_mode: 'score',
    questions: ['a', 'b'].map((id, rank) =>
      questionOf(id, {
        position: rank,
        global_position: rank,
        answers: [answerOf(`${id}1`, { score: 1 }), answerOf(`${id}5`, { score: 5 })],
      }),
    ),
    results: tiers.map(([name, min_score, max_score], priority_order) =>
      resultOf(name, { min_score, max_score, priority_order }),
    ),
  }),
  participantCounts: undefined,
})
const plain = (texts: readonly string[]): string[] => texts.map((text) => text.replace(/\s/g, ' '))

test('a quiz whose results are all possible has no warnings', () => {
  const report = computeOddsReport(scoreTask(['bas', 0, 6], ['haut', 7, 10]))
  assert.ok(report)
  assert.deepEqual(
    report.odds.results.map(({ name, probability }) => [name, probability]),
    [
      ['bas', 0.75],
      ['haut', 0.25],
    ],
  )
  assert.deepEqual([...totalsWarnings(report), ...publishWarnings(report)], [])
  assert.equal(
    oddsBasisSentence(report),
    'Calcul exact sur 4 combinaisons. Tous les totaux de 2 à 10 mènent à un résultat.',
  )
})

describe('publish warnings', () => {
  test('publish warnings name an impossible result with the reason', () => {
    const report = computeOddsReport(scoreTask(['bas', 0, 6], ['haut', 7, 12], ['loin', 13, 20]))
    assert.ok(report)
    assert.deepEqual(plain(publishWarnings(report)), [
      '« loin » ne peut pas sortir : le total va de 2 à 10, son palier commence à 13.',
    ])
    assert.deepEqual(totalsWarnings(report), [])
  })

  test('publish warnings name totals without a result, but not totals in two tiers', () => {
    const report = computeOddsReport(scoreTask(['bas', 0, 2], ['milieu', 2, 8], ['haut', 2, 8]))
    assert.ok(report)
    assert.equal(totalsWarnings(report).length, 3)
    assert.match(publishWarnings(report).join(), /Total 10 sans résultat \(25\s%\)/)
    assert.doesNotMatch(publishWarnings(report).join(), /deux paliers/)
    assert.equal(oddsBasisSentence(report), 'Calcul exact sur 4 combinaisons.')
  })
})

/** Returns the task of a quiz by profiles. « devant » has priority; « derrière » can at best tie with « devant ». */
const profileTask = (tie_rule: TieRule) => ({
  draft: draftOf({
    quiz: quizOf({ tie_rule }),
    quiz_mode: 'profils',
    questions: [
      questionOf('q', {
        answers: [
          answerOf('both', { counts_for: { devant: 1, derrière: 1 } }),
          answerOf('one', { counts_for: { devant: 1 } }),
        ],
      }),
    ],
    results: ['devant', 'derrière'].map((id, priority_order) => resultOf(id, { priority_order })),
  }),
  participantCounts: undefined,
})

for (const [tie_rule, share, nb_warnings] of [
  ['priority', 'ne peut pas sortir', 1],
  ['both', 'jamais en premier', 0],
] as const)
  test(`with the tie rule ${tie_rule}, a result that can at best tie has the label: ${share}`, () => {
    const report = computeOddsReport(profileTask(tie_rule))
    assert.ok(report)
    const shares = report.odds.results.map((result) => resultProbabilityLabel(result, report))
    assert.deepEqual(plain(shares), ['100 %', share])
    assert.equal(publishWarnings(report).length, nb_warnings)
  })

test('a result that no simulated run gave has the label < 0,1 %, because it may still be possible', () => {
  const report = computeOddsReport(profileTask('both'))
  assert.ok(report)
  const simulated = { ...report, odds: { ...report.odds, is_exact: false } }
  const [, last] = report.odds.results
  assert.ok(last)
  assert.deepEqual(plain([resultProbabilityLabel(last, simulated)]), ['< 0,1 %'])
})

test('a result that no past participant could get has the probability 0 but is not impossible', () => {
  const task = scoreTask(['bas', 0, 6], ['haut', 7, 10])
  const stats = Object.fromEntries(
    ['a', 'b'].map((id) => [
      id,
      {
        question_text: id,
        answers: [
          { answer_text: `${id}1`, count: 0, percentage: 0 },
          { answer_text: `${id}5`, count: 30, percentage: 100 },
        ],
      },
    ]),
  )
  const seen = { nb_seen: 30, nb_answered: 30 }
  const figures = { nb_participants: 30, questions: { a: seen, b: seen } }
  const report = computeOddsReport({ ...task, participantCounts: { stats, figures } })
  assert.deepEqual(
    report?.odds.results.map(({ probability }) => probability),
    [0, 1],
  )
  assert.deepEqual(report?.impossible_results, [])
})

test('a sondage has no odds report, nor has a quiz without mode or results', () => {
  const { draft } = scoreTask(['bas', 0, 6], ['haut', 7, 10])
  for (const more of [{ quiz: quizOf({ type: 'sondage' }) }, { quiz_mode: null }, { results: [] }])
    assert.equal(
      computeOddsReport({ draft: { ...draft, ...more }, participantCounts: undefined }),
      null,
    )
})

test('an odds report can be cloned, so that a worker can post it', () => {
  const report = computeOddsReport(scoreTask(['bas', 0, 6], ['haut', 7, 12], ['loin', 13, 20]))
  assert.deepEqual(structuredClone(report), report)
})

for (const [tie_rule, sentence] of [
  ['priority', 'Le plus haut de la liste l’emporte : « devant ».'],
  [
    'question',
    'La question ne les départage pas, le plus haut de la liste l’emporte : « devant ».',
  ],
  ['both', 'Tous sont montrés ; seul le plus haut de la liste est compté : « devant ».'],
] as const)
  test(`the odds of ties name the winner under the tie rule ${tie_rule}`, () => {
    const report = computeOddsReport(profileTask(tie_rule))
    assert.ok(report)
    assert.deepEqual(
      report.odds.results.map(({ tie_probability }) => tie_probability),
      [report.odds.tie_probability, 0],
    )
    assert.deepEqual(plain([tieWinnersSentence(report) ?? '']), [sentence])
  })

test('a sentence about ties names at most three winners, the most frequent first', () => {
  const report = computeOddsReport(profileTask('priority'))
  assert.ok(report)
  const [first] = report.odds.results
  assert.ok(first)
  const results = [0.1, 0.2, 0, 0.05, 0.3].map((tie_probability, rank) => ({
    ...first,
    name: `R${rank}`,
    tie_probability,
  }))
  const of = (count: number) =>
    plain([
      tieWinnersSentence({
        ...report,
        odds: { ...report.odds, results: results.slice(0, count) },
      }) ?? '',
    ])[0]
  assert.equal(of(2), 'Le plus haut de la liste l’emporte : « R1 » (20 %) et « R0 » (10 %).')
  assert.equal(
    of(5),
    'Le plus haut de la liste l’emporte : « R4 » (30 %), « R1 » (20 %), « R0 » (10 %) et 1 autre.',
  )
  assert.equal(
    tieWinnersSentence({ ...report, odds: { ...report.odds, results: results.slice(2, 3) } }),
    undefined,
  )
})
