import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TieRule } from '#domain/common/vocabulary.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import {
  oddsBasisSentence,
  publishWarnings,
  resultShareLabel,
  totalsWarnings,
} from './odds-labels.ts'
import { computeOddsReport } from './odds-report.ts'

/** Returns the task of a quiz with two questions of 1 or 5 points and these tiers. */
const byScore = (...tiers: [name: string, min_score: number, max_score: number][]) => ({
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
  answered: undefined,
})
const plain = (texts: readonly string[]): string[] => texts.map((text) => text.replace(/\s/g, ' '))

test('a quiz without problems has no warnings', () => {
  const report = computeOddsReport(byScore(['bas', 0, 6], ['haut', 7, 10]))
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

describe('warnings before publishing', () => {
  test('name an impossible result with the reason', () => {
    const report = computeOddsReport(byScore(['bas', 0, 6], ['haut', 7, 12], ['loin', 13, 20]))
    assert.ok(report)
    assert.deepEqual(plain(publishWarnings(report)), [
      '« loin » ne peut pas sortir : le total va de 2 à 10, son palier commence à 13.',
    ])
    assert.deepEqual(totalsWarnings(report), [])
  })

  test('name totals without a result, but not totals in two tiers', () => {
    const report = computeOddsReport(byScore(['bas', 0, 2], ['milieu', 2, 8], ['haut', 2, 8]))
    assert.ok(report)
    assert.equal(totalsWarnings(report).length, 3)
    assert.match(publishWarnings(report).join(), /Total 10 sans résultat \(25\s%\)/)
    assert.doesNotMatch(publishWarnings(report).join(), /deux paliers/)
    assert.equal(oddsBasisSentence(report), 'Calcul exact sur 4 combinaisons.')
  })
})

/** Returns the task of a quiz in profile mode, in which « derrière » can at best tie with « devant », which has priority. */
const byProfiles = (tie_rule: TieRule) => ({
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
  answered: undefined,
})

for (const [tie_rule, share, nb_doubts] of [
  ['priority', 'ne peut pas sortir', 1],
  ['both', 'jamais en premier', 0],
] as const)
  test(`the label of a result that never wins with the tie rule ${tie_rule} is ${share}`, () => {
    const report = computeOddsReport(byProfiles(tie_rule))
    assert.ok(report)
    const shares = report.odds.results.map((result) => resultShareLabel(result, report))
    assert.deepEqual(plain(shares), ['100 %', share])
    assert.equal(publishWarnings(report).length, nb_doubts)
  })

test('a result that no simulated run gave is still possible', () => {
  const report = computeOddsReport(byProfiles('both'))
  assert.ok(report)
  const drawn = { ...report, odds: { ...report.odds, is_exact: false } }
  const [, last] = report.odds.results
  assert.ok(last)
  assert.deepEqual(plain([resultShareLabel(last, drawn)]), ['< 0,1 %'])
})

test('equal replies of all participants leave one likely result, and the others stay possible', () => {
  const task = byScore(['bas', 0, 6], ['haut', 7, 10])
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
  const report = computeOddsReport({ ...task, answered: { stats, figures } })
  assert.deepEqual(
    report?.odds.results.map(({ probability }) => probability),
    [0, 1],
  )
  assert.deepEqual(report?.impossible, [])
})

test('a sondage and a quiz without mode or results have no report', () => {
  const { draft } = byScore(['bas', 0, 6], ['haut', 7, 10])
  for (const more of [{ quiz: quizOf({ type: 'sondage' }) }, { quiz_mode: null }, { results: [] }])
    assert.equal(computeOddsReport({ draft: { ...draft, ...more }, answered: undefined }), null)
})

test('a report can be posted between threads', () => {
  const report = computeOddsReport(byScore(['bas', 0, 6], ['haut', 7, 12], ['loin', 13, 20]))
  assert.deepEqual(structuredClone(report), report)
})
