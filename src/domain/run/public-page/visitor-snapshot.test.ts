import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Snapshot, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { dimensionInsertions } from '#domain/run/dimensions.ts'
import { readTexts } from '#domain/run/rich-text.ts'
import { PUBLIC_RULES, shownResults } from '#domain/run/scoring.ts'
import { packDimensions } from '#domain/run/stored-dimensions.ts'
import { finishedRunOf, shownTexts } from '#domain/run/text-variants.ts'
import {
  answerOf,
  dimensionOf,
  draftOf,
  drafts,
  questionOf,
  quizOf,
  resultOf,
  textVariantOf,
} from '#domain/testing/drafts.ts'
import { enumerableDimensions, listRuns } from '#domain/testing/enumerable-quizzes.ts'
import { createSnapshotReplacer, visitorSnapshot } from './visitor-snapshot.ts'

const question = questionOf('q', {
  answers: [answerOf('a', { score: 3, counts_for: { bas: 2 } }), answerOf('b', { score: 5 })],
})
const results = ['bas', 'haut'].map((id, priority_order) =>
  resultOf(id, { priority_order, min_score: priority_order * 4, max_score: 4 }),
)
const shownOf = (more: Parameters<typeof draftOf>[0]) =>
  visitorSnapshot(takeSnapshot(draftOf({ questions: [question], results, ...more })))
const countsOf = ({ questions }: ReturnType<typeof shownOf>) =>
  questions.flatMap(({ answers }) =>
    answers.map(({ score, associations }) => [score, associations.length]),
  )

describe('the snapshot for the browser of a visitor', () => {
  test('by score, the browser receives no association', () => {
    const shown = shownOf({ quiz_mode: 'score' })
    assert.deepEqual(countsOf(shown), [
      [3, 0],
      [5, 0],
    ])
    assert.deepEqual(
      shown.results.map(({ min_score }) => min_score),
      [0, 4],
    )
  })

  test('by profils, the browser receives no score and no tier', () => {
    const shown = shownOf({ quiz_mode: 'profils' })
    assert.deepEqual(countsOf(shown), [
      [null, 1],
      [null, 0],
    ])
    assert.deepEqual(
      shown.results.map(({ min_score, max_score }) => [min_score, max_score]),
      [
        [null, null],
        [null, null],
      ],
    )
  })

  const solved = questionOf('q', {
    max_choices: null,
    explanation: 'Parce que *oui*.',
    answers: [answerOf('a', { score: 3, is_correct: true }), answerOf('b', { score: 0 })],
  })
  const jsonOf = (snapshot: ReturnType<typeof visitorSnapshot>): string =>
    JSON.stringify(snapshot, createSnapshotReplacer(snapshot))
  const solutionsOf = (draft: Parameters<typeof draftOf>[0]): string =>
    jsonOf(visitorSnapshot(readTexts(takeSnapshot(draftOf({ results, ...draft })), (text) => text)))

  test('without corrections, the browser receives the bytes of a quiz without right answers', () => {
    const plain = { ...solved, explanation: null, all_or_nothing: false }
    const unsolved = {
      ...plain,
      answers: plain.answers.map((answer) => ({ ...answer, is_correct: false })),
    }
    for (const quiz_mode of ['score', 'profils', null] as const)
      assert.equal(
        solutionsOf({ quiz_mode, questions: [solved] }),
        solutionsOf({ quiz_mode, questions: [unsolved] }),
      )
    const all = { ...solved, all_or_nothing: true }
    assert.equal(
      solutionsOf({ quiz_mode: 'profils', questions: [all] }),
      solutionsOf({ quiz_mode: 'profils', questions: [unsolved] }),
      'all or nothing changes no quiz by profiles',
    )
    const counted = solutionsOf({ quiz_mode: 'score', questions: [all] })
    assert.match(counted, /"is_correct":true/, 'the browser computes the total with them')
    assert.doesNotMatch(counted, /Parce que/)
  })

  test('with corrections, the browser receives the right answers and their explanations', () => {
    for (const shows_corrections of ['page', 'end'] as const) {
      const quiz = quizOf({ shows_corrections })
      const json = solutionsOf({ quiz, quiz_mode: null, questions: [solved] })
      assert.match(json, /"is_correct":true/)
      assert.match(json, /Parce que/)
      const none = { ...solved, answers: [answerOf('a'), answerOf('b')] }
      assert.doesNotMatch(solutionsOf({ quiz, questions: [none] }), /Parce que/)
    }
    const sondage = quizOf({ type: 'sondage', shows_corrections: 'end' })
    assert.doesNotMatch(solutionsOf({ quiz: sondage, questions: [solved] }), /correct/)
  })

  test('without a mode, the browser receives the one result that everyone gets', () => {
    const shown = shownOf({ quiz_mode: null })
    assert.deepEqual(countsOf(shown), [
      [null, 0],
      [null, 0],
    ])
    assert.deepEqual(
      shown.results.map(({ id }) => id),
      ['bas'],
    )
  })

  test('for a sondage, the browser receives no scores, associations or results', () => {
    const shown = shownOf({ quiz: quizOf({ type: 'sondage' }), quiz_mode: 'score' })
    assert.deepEqual(countsOf(shown), [
      [null, 0],
      [null, 0],
    ])
    assert.deepEqual(shown.results, [])
  })
})

test('the snapshot for the browser gives the results of the whole snapshot, for any replies', () => {
  fc.assert(
    fc.property(drafts, fc.array(fc.nat()), (draft, picks) => {
      const snapshot = takeSnapshot(draft)
      const replies = Object.fromEntries(
        snapshot.questions.flatMap(({ id, answers }, index) => {
          const chosen = answers[(picks[index] ?? 0) % Math.max(1, answers.length)]
          return chosen ? [[id, chosen.id]] : []
        }),
      )
      const whole = shownResults(snapshot, replies, PUBLIC_RULES)
      const shown = shownResults(visitorSnapshot(snapshot), replies, PUBLIC_RULES)
      assert.deepEqual(
        shown.map(({ id, name }) => [id, name]),
        whole.map(({ id, name }) => [id, name]),
      )
    }),
  )
})

test('the flag of a counting scale is sent only if a score is computed', () => {
  const questions = [questionOf('q', { type: 'scale', counts_in_score: true })]
  const sent = (more: Parameters<typeof draftOf>[0]) => shownOf({ questions, ...more }).questions[0]
  assert.equal(sent({ quiz_mode: 'score' })?.counts_in_score, true)
  for (const more of [{ quiz_mode: 'profils' as const }, {}, { quiz: quizOf({ type: 'sondage' }) }])
    assert.ok(!('counts_in_score' in (sent(more) ?? {})))
})

test('a setting of statistics is not sent to visitors', () => {
  const questions = [questionOf('q', { type: 'scale', shows_recommendation: false })]
  const shown = shownOf({ questions })
  assert.equal(shown.questions[0]?.shows_recommendation, false)
  assert.ok(!JSON.stringify(shown, createSnapshotReplacer(shown)).includes('recommendation'))
})

describe('the conditional texts for the browser of a visitor', () => {
  const chosen = { kind: 'answer_chosen' as const, question_id: 'q', answer_id: 'a' }
  const inBrowser = (more: Parameters<typeof draftOf>[0]): ReturnType<typeof shownOf> => {
    const shown = shownOf(more)
    return JSON.parse(JSON.stringify(shown, createSnapshotReplacer(shown)))
  }

  test('a page has the texts of its own results, and none of the mail', () => {
    const text_variants = [
      textVariantOf('mail', { place: 'mail', conditions: [chosen] }),
      textVariantOf('first', { place: 'result', result_id: 'bas', conditions: [chosen] }),
      textVariantOf('second', { place: 'result', result_id: 'haut', conditions: [chosen] }),
      textVariantOf('all', { conditions: [chosen] }),
    ]
    const idsOf = (quiz_mode: 'score' | null) =>
      inBrowser({ quiz_mode, text_variants }).text_variants?.map(({ id }) => id)
    assert.deepEqual(idsOf('score'), ['first', 'second', 'all'])
    // Without a mode, the page has a single result.
    assert.deepEqual(idsOf(null), ['first', 'all'])
  })

  test('a page without texts of its own has no field for them', () => {
    const mail = textVariantOf('mail', { place: 'mail', conditions: [chosen] })
    assert.ok(!('text_variants' in shownOf({ text_variants: [mail] })))
    assert.ok(!('text_variants' in shownOf({})))
  })

  test('a page shows the same texts as the whole version, also for a total with one bound', () => {
    const totals: [from: number | null, to: number | null][] = [
      [null, 3],
      [4, null],
      [3, 5],
    ]
    const text_variants = totals.map(([from, to], rank) =>
      textVariantOf(`v${rank}`, { conditions: [{ kind: 'total_between', from, to }] }),
    )
    const sent = inBrowser({ quiz_mode: 'score', text_variants })
    const shownFor = (answer_id: string) => {
      const run = finishedRunOf(sent, { q: answer_id }, { id: 'bas' })
      return shownTexts(sent, 'page', run).map(({ id }) => id)
    }
    assert.deepEqual(shownFor('a'), ['v0', 'v2'])
    assert.deepEqual(shownFor('b'), ['v1', 'v2'])
  })
})

test('the page computes the dimensions that the server stores, with the rule of its version', () => {
  let nb_shown = 0
  fc.assert(
    fc.property(enumerableDimensions, fc.boolean(), (random, is_older) => {
      const { dimension_rule, ...older } = random
      const snapshot: Snapshot = { ...(is_older ? older : random), text_blocks: [] }
      const page = visitorSnapshot(readTexts(snapshot, (text) => text))
      const shown = JSON.parse(JSON.stringify(page, createSnapshotReplacer(page)))
      for (const { replies } of listRuns(snapshot)?.slice(0, 100) ?? []) {
        const stored = packDimensions(snapshot, replies)
        assert.deepEqual(packDimensions(shown, replies), stored)
        assert.deepEqual(
          dimensionInsertions(shown, replies),
          dimensionInsertions(snapshot, replies),
        )
        nb_shown += stored?.filter((percent) => percent !== null).length ?? 0
      }
    }),
    { numRuns: 150, seed: 11 },
  )
  assert.ok(nb_shown > 1_000, `${nb_shown}`)
})

test('only a page with dimensions has a rule of dimensions', () => {
  const jsonOf = (more: Parameters<typeof draftOf>[0]): string => {
    const shown = shownOf({ quiz_mode: 'score', questions: [questionOf('q')], ...more })
    return JSON.stringify(shown, createSnapshotReplacer(shown))
  }
  assert.doesNotMatch(jsonOf({}), /dimension/)
  assert.match(jsonOf({ dimensions: [dimensionOf('d')] }), /"dimension_rule":2/)
})
