import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Draft, Replies } from '#domain/questionnaire/quiz.ts'
import { type Snapshot, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, drafts, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { visitedQuestions } from './path.ts'
import { computeResult, PREVIEW_RULES, PUBLIC_RULES } from './scoring.ts'

const names = (draft: Draft, replies: Replies): [preview: string | null, page: string | null] => {
  const snapshot = takeSnapshot(draft)
  return [
    computeResult(snapshot, replies, PREVIEW_RULES)?.name ?? null,
    computeResult(snapshot, replies, PUBLIC_RULES)?.name ?? null,
  ]
}

const tiers = (bounds: [string, number | null, number | null][]) =>
  bounds.map(([name, min_score, max_score], priority_order) =>
    resultOf(name, { min_score, max_score, priority_order }),
  )
/** Makes one question whose answers have these scores; answer s3 has score 3. */
const scoreDraft = (results: Draft['results'], scores: (number | null)[]) =>
  draftOf({
    quiz_mode: 'score',
    results,
    questions: [
      questionOf('q', { answers: scores.map((score) => answerOf(`s${score}`, { score })) }),
    ],
  })

describe('results by score (product 4.4)', () => {
  const usual = tiers([
    ['Bas', 0, 4],
    ['Haut', 5, 10],
  ])
  const cases: [string, Draft['results'], number | null, string | null, string | null][] = [
    ['the tier that holds the total', usual, 5, 'Haut', 'Haut'],
    ['bounds are in it', usual, 4, 'Bas', 'Bas'],
    ['none matches: nothing, or the first', usual, 11, null, 'Bas'],
    ['a missing score is 0', usual, null, 'Bas', 'Bas'],
    ['no minimum: from below, or from 0', tiers([['Seul', null, 3]]), -2, 'Seul', 'Seul'],
    [
      'no minimum is 0 on the public page',
      tiers([
        ['Haut', 5, 9],
        ['Bas', null, 3],
      ]),
      -2,
      'Bas',
      'Haut',
    ],
    [
      'no maximum: to any height',
      tiers([
        ['Bas', 0, 4],
        ['Haut', 5, null],
      ]),
      1_000_000,
      'Haut',
      'Haut',
    ],
    [
      'the first of two that match',
      tiers([
        ['Un', 0, 9],
        ['Deux', 0, 9],
      ]),
      3,
      'Un',
      'Un',
    ],
  ]
  for (const [name, results, score, preview, page] of cases)
    test(`the public page and the preview compute the result by score: ${name}`, () =>
      assert.deepEqual(names(scoreDraft(results, [score]), { q: `s${score}` }), [preview, page]))

  test('the scores of all chosen answers add up', () => {
    const draft = scoreDraft(usual, [2, 3])
    draft.questions.push(questionOf('r', { answers: [answerOf('x', { score: 3 })] }))
    assert.deepEqual(names(draft, { q: 's2', r: 'x' }), ['Haut', 'Haut'])
    assert.deepEqual(names(draft, { q: 's2' }), ['Bas', 'Bas'])
  })

  test('the first result is the one with the lowest priority_order, in any list order', () => {
    const results = tiers([
      ['Un', 0, 9],
      ['Deux', 0, 9],
    ]).reverse()
    assert.deepEqual(names(scoreDraft(results, [1]), { q: 's1' }), ['Un', 'Un'])
  })
})

describe('results by profils', () => {
  const results = ['Lune', 'Soleil', 'Mars'].map((name, priority_order) =>
    resultOf(name, { priority_order }),
  )
  const draft = draftOf({
    quiz_mode: 'profils',
    results,
    questions: [
      questionOf('q', {
        answers: [
          answerOf('lune', { counts_for: { Lune: 1 } }),
          answerOf('soleil', { counts_for: { Soleil: 1 } }),
          answerOf('rien'),
        ],
      }),
      questionOf('r', {
        answers: [
          answerOf('lourd', { counts_for: { Mars: 3, Soleil: 1 } }),
          answerOf('leger', { counts_for: { Soleil: 1 } }),
          answerOf('vide'),
        ],
      }),
    ],
  })
  const cases: [string, Replies, string | null, string | null][] = [
    ['the highest total wins', { q: 'soleil', r: 'leger' }, 'Soleil', 'Soleil'],
    ['an association adds its weight', { q: 'soleil', r: 'lourd' }, 'Mars', 'Mars'],
    ['the first of tied results wins', { q: 'lune', r: 'leger' }, 'Lune', 'Lune'],
    [
      'without points the preview shows none and the page the first',
      { q: 'rien', r: 'vide' },
      null,
      'Lune',
    ],
  ]
  for (const [name, replies, preview, page] of cases)
    test(`the public page and the preview compute the result by profils: ${name}`, () =>
      assert.deepEqual(names(draft, replies), [preview, page]))

  test('an unchecked association never counts', () => {
    const { questions, ...rest } = takeSnapshot(draft)
    const unlinked = questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({
        ...answer,
        associations: answer.associations.map((link) => ({ ...link, is_checked: false })),
      })),
    }))
    const replies = { q: 'soleil', r: 'lourd' }
    assert.equal(computeResult({ ...rest, questions: unlinked }, replies, PREVIEW_RULES), null)
  })
})

describe('results without scores and profils', () => {
  const results = tiers([
    ['Un', 5, 9],
    ['Deux', 0, 9],
  ])
  test('a quiz without a mode gives the first result', () =>
    assert.deepEqual(names(draftOf({ results }), {}), ['Un', 'Un']))
  test('a quiz without results gives no result', () =>
    assert.deepEqual(names(draftOf(), {}), [null, null]))
  test('a sondage gives no result', () =>
    assert.deepEqual(names(draftOf({ quiz: quizOf({ type: 'sondage' }), results }), {}), [
      null,
      null,
    ]))
})

/** A snapshot, with an answer or nothing for each of its choice questions. */
const runs = fc.tuple(drafts, fc.infiniteStream(fc.nat(9))).map(([draft, stream]) => {
  const snapshot = takeSnapshot(draft)
  const replies: Replies = {}
  for (const { id, answers } of snapshot.questions) {
    const answer = answers[stream.next().value ?? 0]
    if (answer) replies[id] = answer.id
  }
  return { snapshot, replies }
})

describe('results of any quiz', () => {
  const idOf = (snapshot: Snapshot, replies: Replies, rules = PUBLIC_RULES) =>
    computeResult(snapshot, replies, rules)?.id

  test('the browser, which has the snapshot as JSON, computes the server’s result', () =>
    fc.assert(
      fc.property(runs, ({ snapshot, replies }) => {
        const received = JSON.parse(JSON.stringify(snapshot)) as Snapshot
        assert.equal(idOf(received, replies), idOf(snapshot, replies))
      }),
    ))

  test('the public page gives a result if the quiz has any', () =>
    fc.assert(
      fc.property(runs, ({ snapshot, replies }) => {
        const given = computeResult(snapshot, replies, PUBLIC_RULES)
        if (snapshot.quiz.type === 'sondage' || snapshot.results.length === 0)
          assert.equal(given, null)
        else assert.ok(snapshot.results.some((result) => result === given))
      }),
    ))

  test('the preview gives the same result, or none if no total is below a missing minimum', () =>
    fc.assert(
      fc.property(runs, ({ snapshot, replies }) => {
        const results = snapshot.results.map((result) => ({
          ...result,
          min_score: result.min_score ?? 0,
        }))
        const closed = { ...snapshot, results }
        const preview = idOf(closed, replies, PREVIEW_RULES)
        if (preview !== undefined) assert.equal(idOf(closed, replies), preview)
      }),
    ))

  test('a missing maximum is no limit, and a missing minimum is 0 on the public page', () =>
    fc.assert(
      fc.property(runs, ({ snapshot, replies }) => {
        const bounded = (lowest: number): Snapshot => ({
          ...snapshot,
          results: snapshot.results.map((result) => ({
            ...result,
            min_score: result.min_score ?? lowest,
            max_score: result.max_score ?? 1_000,
          })),
        })
        assert.equal(idOf(snapshot, replies), idOf(bounded(0), replies))
        assert.equal(
          idOf(snapshot, replies, PREVIEW_RULES),
          idOf(bounded(-1_000), replies, PREVIEW_RULES),
        )
      }),
    ))

  test('neither the order of the lists nor invalid replies change the result', () =>
    fc.assert(
      fc.property(runs, fc.string(), ({ snapshot, replies }, stranger) => {
        const turned: Snapshot = {
          ...snapshot,
          questions: snapshot.questions.toReversed(),
          results: snapshot.results.toReversed(),
        }
        fc.pre(!snapshot.questions.some(({ id }) => id === stranger))
        const more = { ...replies, [stranger]: stranger }
        assert.equal(idOf(turned, more), idOf(snapshot, replies))
      }),
    ))

  test('by profils, the winner is the first result with the highest total', () =>
    fc.assert(
      fc.property(runs, ({ snapshot, replies }) => {
        const quiz = { ...snapshot.quiz, type: 'quiz' as const, tie_rule: undefined }
        const played: Snapshot = { ...snapshot, quiz, quiz_mode: 'profils' }
        const links = visitedQuestions(played.questions, replies).flatMap(({ id, answers }) =>
          answers
            .filter((answer) => answer.id === replies[id])
            .flatMap((answer) => answer.associations),
        )
        const reached = played.results
          .filter(({ id }) => links.some(({ result_id }) => result_id === id))
          .map(({ id }) => ({
            id,
            total: links
              .filter(({ result_id }) => result_id === id)
              .reduce((sum, { weight }) => sum + weight, 0),
          }))
        const best = Math.max(...reached.map(({ total }) => total))
        const expected = reached.find(({ total }) => total === best)?.id
        assert.equal(idOf(played, replies, PREVIEW_RULES), expected)
      }),
    ))
})
