import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Draft, Replies } from '#domain/questionnaire/quiz.ts'
import { type Snapshot, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { computeResult, PUBLIC_RULES, pointsOf, totalScore } from '#domain/run/scoring.ts'
import { answerOf, draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { versionsWithReplies } from '#domain/testing/versions-with-replies.ts'
import { judgeQuestions, type QuestionQuality } from './question-quality.ts'

const tier = (id: string, min_score: number, max_score: number, priority_order: number) =>
  resultOf(id, { min_score, max_score, priority_order })

/** Makes questions a, b, c… whose answers a0, a1… have their number as score. */
const scored = (count: number, results: Draft['results'], more = {}): Snapshot =>
  takeSnapshot(
    draftOf({
      quiz_mode: 'score',
      results,
      questions: Array.from({ length: count }, (_, rank) => {
        const id = 'abcdef'[rank] ?? ''
        const answers = [0, 1, 2, 3].map((score) =>
          answerOf(`${id}${score}`, { score, text: `${score} points` }),
        )
        return questionOf(id, {
          global_position: rank,
          position: rank,
          page_number: rank + 1,
          answers,
          ...more,
        })
      }),
    }),
  )

const judge = (snapshot: Snapshot, given: readonly Replies[]): QuestionQuality => {
  const judging = judgeQuestions(snapshot)
  for (const replies of given) judging.add(replies)
  return judging.read()
}
/** Repeats the participants, so that there are enough of them; the figures stay equal. */
const often = (given: readonly Replies[], times = 6): Replies[] =>
  Array.from({ length: times }, () => given).flat()

const near = (figure: number | null | undefined, wanted: number): void =>
  assert.ok(Math.abs((figure ?? Number.NaN) - wanted) < 1e-9, `${figure}, not ${wanted}`)

describe('a calculation by hand: five participants of three questions, six times', () => {
  const snapshot = scored(3, [tier('bas', 0, 6, 0), tier('haut', 7, 9, 1)])
  const points = [
    [2, 3, 3],
    [1, 1, 2],
    [3, 3, 3],
    [0, 1, 0],
    [2, 2, 3],
  ]
  const quality = judge(
    snapshot,
    often(points.map(([a, b, c]) => ({ a: `a${a}`, b: `b${b}`, c: `c${c}` }))),
  )
  const [a, b, c] = quality.questions

  test('the alpha of the calculated example is 3/2 × (1 − (1.04 + 0.8 + 1.36) / 8.56)', () => {
    assert.equal(quality.nb_participants, 30)
    near(quality.alpha, 1.5 * (1 - 3.2 / 8.56))
  })

  test('the first question correlates with the others by 9.4 / √(5.2 × 18.8)', () => {
    near(a?.correlation, 9.4 / Math.sqrt(5.2 * 18.8))
  })

  test('the alpha without the first question is 2 × (1 − (0.8 + 1.36) / 3.76)', () => {
    near(a?.alpha_without, 2 * (1 - 2.16 / 3.76))
  })

  test('a question decides the result of a participant if another reply would change it', () => {
    // Totals are 8, 4, 9, 1, 7. Other first answers give 6–9, 3–6, 6–9, 1–4, 5–8.
    assert.equal(a?.decides, 3 / 5)
    // Other third answers give 5–8, 2–5, 6–9, 1–4, 4–7.
    assert.equal(c?.decides, 3 / 5)
  })

  test('the analysis lists answers that nobody chose', () => {
    assert.deepEqual(a?.unused_answers, [])
    assert.deepEqual(b?.unused_answers, [{ id: 'b0', text: '0 points' }])
    assert.deepEqual(
      c?.unused_answers.map(({ id }) => id),
      ['c1'],
    )
  })
})

describe('undefined figures', () => {
  const results = [tier('un', 0, 3, 0), tier('deux', 4, 9, 1)]

  test('a single question has no alpha and no correlation, but it decides', () => {
    const quality = judge(scored(1, results), [{ a: 'a0' }, { a: 'a3' }])
    assert.equal(quality.alpha, null)
    assert.deepEqual(
      quality.questions.map(({ correlation, alpha_without, decides }) => [
        correlation,
        alpha_without,
        decides,
      ]),
      [[null, null, 0]],
    )
  })

  test('a question with equal replies has no variance', () => {
    const same = Array.from({ length: 40 }, () => ({ a: 'a2', b: 'b2' }))
    const quality = judge(scored(2, results), same)
    assert.equal(quality.alpha, null)
    assert.deepEqual(
      quality.questions.map(({ correlation, decides }) => [correlation, decides]),
      [
        [null, 1],
        [null, 1],
      ],
    )
  })

  test('the figures without participants divide nothing by zero', () => {
    const quality = judge(scored(2, results), [])
    assert.deepEqual([quality.nb_participants, quality.alpha], [0, null])
    assert.deepEqual(
      quality.questions.map(({ decides, nb_asked }) => [decides, nb_asked]),
      [
        [0, 0],
        [0, 0],
      ],
    )
  })

  test('a question without points is left out', () => {
    const snapshot = takeSnapshot(
      draftOf({
        quiz_mode: 'score',
        results,
        questions: [
          questionOf('q', { answers: [answerOf('x', { score: 0 }), answerOf('y')] }),
          questionOf('r', { type: 'email', global_position: 1, position: 1 }),
          questionOf('s', {
            type: 'scale',
            counts_in_score: true,
            position: 2,
            global_position: 2,
          }),
        ],
      }),
    )
    assert.deepEqual(
      judge(snapshot, [{ q: 'x', r: 'a@b.fr', s: '3' }]).questions.map(({ id }) => id),
      ['s'],
    )
  })
})

describe('the points that another reply can give', () => {
  const results = [tier('bas', 0, 2, 0), tier('haut', 3, 2 ** 40, 1)]
  const points = ['x', 'y', 'z'].map((id) => answerOf(id, { score: 1 }))
  const decides = (more: Parameters<typeof questionOf>[1], reply: string): number | undefined => {
    const snapshot = takeSnapshot(
      draftOf({
        quiz_mode: 'score',
        results,
        questions: [questionOf('q', { answers: points, ...more })],
      }),
    )
    return judge(snapshot, [{ q: reply }]).questions[0]?.decides
  }

  test('another reply can give the points of several answers if several can be chosen', () => {
    assert.equal(decides({}, 'x'), 0)
    assert.equal(decides({ max_choices: 2 }, 'x'), 0)
    assert.equal(decides({ max_choices: null }, 'x'), 1)
  })

  test('another reply can give no points if the question can be left blank or answered by « Autre »', () => {
    const worth = [answerOf('x', { score: 3 }), answerOf('y', { score: 4 })]
    assert.equal(decides({ answers: worth }, 'x'), 0)
    assert.equal(decides({ answers: worth, is_required: false }, 'x'), 1)
    assert.equal(decides({ answers: worth, has_other: true }, 'x'), 1)
  })

  test('a question with too many sets of answers is judged by the extreme sets', () => {
    const many = Array.from({ length: 40 }, (_, rank) => answerOf(`m${rank}`, { score: 2 ** rank }))
    assert.equal(decides({ answers: many, max_choices: null }, 'm0'), 1)
  })
})

test('an answer that few participants saw is not listed as unused', () => {
  const snapshot = scored(1, [tier('un', 0, 3, 0), tier('deux', 4, 9, 1)])
  const judging = judgeQuestions(snapshot)
  for (let rank = 0; rank < 60; rank++)
    judging.add({ a: `a${rank % 2}` }, (id) => id !== 'a3' || rank < 29)
  assert.deepEqual(
    judging.read().questions[0]?.unused_answers.map(({ id }) => id),
    ['a2'],
  )
})

test('a question that some runs skip is analysed without them and is not part of alpha', () => {
  const snapshot = scored(4, [tier('un', 0, 5, 0), tier('deux', 6, 12, 1)])
  // The first answer of a jumps past b.
  const [leading] = snapshot.questions
  Object.assign(leading?.answers[0] ?? {}, { jump_to: 3 })
  const given: Record<string, string>[] = [
    { a: 'a0', c: 'c1', d: 'd2' },
    { a: 'a0', c: 'c3', d: 'd3' },
    { a: 'a1', b: 'b3', c: 'c0', d: 'd0' },
    { a: 'a2', b: 'b0', c: 'c2', d: 'd1' },
  ]
  const quality = judge(snapshot, given)
  const asked = quality.questions.map(({ id, nb_asked, alpha_without }) => [
    id,
    nb_asked,
    alpha_without !== null,
  ])
  assert.deepEqual(asked, [
    ['a', 4, true],
    ['b', 2, false],
    ['c', 4, true],
    ['d', 4, true],
  ])
  const without = judge(
    { ...snapshot, questions: snapshot.questions.filter(({ id }) => id !== 'b') },
    given.map(({ b, ...replies }) => replies),
  )
  assert.deepEqual(quality.alpha, without.alpha)
})

test('for random questionnaires, variance, correlation and decisions equal a recomputation', () => {
  const runs = fc.array(fc.nat(2 ** 20), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(versionsWithReplies({ max_questions: 5, is_plain: true }), runs, (taken, picks) => {
      const snapshot: Snapshot = {
        ...taken.snapshot,
        quiz_mode: 'score',
        quiz: { ...taken.snapshot.quiz, type: 'quiz' },
      }
      // Each participant answers each question as one of the two runs did.
      const given = picks.map((pick) =>
        Object.fromEntries(
          snapshot.questions.map(({ id }, rank) => [
            id,
            ((pick >> rank) % 2 ? taken.replies : taken.others)[id] ?? '',
          ]),
        ),
      )
      const quality = judge(snapshot, given)
      const totals = given.map((replies) => totalScore(snapshot, replies) ?? 0)
      for (const one of quality.questions) {
        const question = snapshot.questions.find(({ id }) => id === one.id)
        assert.ok(question)
        const own = given.map((replies) => pointsOf(question, replies))
        const rest = totals.map((total, index) => total - (own[index] ?? 0))
        const wanted = pearson(own, rest)
        if (wanted === null) assert.equal(one.correlation, null)
        else near(one.correlation, wanted)
        const nb_deciding = given.filter((replies) =>
          question.answers.some(
            ({ id }) =>
              computeResult(snapshot, { ...replies, [question.id]: id }, PUBLIC_RULES) !==
              computeResult(snapshot, replies, PUBLIC_RULES),
          ),
        ).length
        assert.equal(one.decides, nb_deciding / given.length)
      }
    }),
    { numRuns: countCases(300) },
  )
})

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length

const pearson = (xs: readonly number[], ys: readonly number[]): number | null => {
  const [x, y] = [meanOf(xs), meanOf(ys)]
  const product = (points: readonly number[], mean: number, other: readonly number[], to: number) =>
    points.reduce((sum, value, index) => sum + (value - mean) * ((other[index] ?? 0) - to), 0)
  const spread = product(xs, x, xs, x) * product(ys, y, ys, y)
  return spread < 1e-9 ? null : product(xs, x, ys, y) / Math.sqrt(spread)
}
