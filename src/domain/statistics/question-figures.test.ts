import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { answerShares } from '#domain/common/numbers.ts'
import { isChoice, type Question, type Replies } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { createIsPageSkipped } from '#domain/run/path.ts'
import { chosenAnswers, otherText, replyPartsOf } from '#domain/run/replies.ts'
import { layoutOf, packReplies } from '#domain/run/stored-replies.ts'
import { replyErrors } from '#domain/run/submission-checks.ts'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { type AnsweredVersion, askedQuestions, type ChoiceCount } from './asked-questions.ts'
import {
  canTakeSeveral,
  MAX_MONTHS,
  questionFigures,
  questionStats,
  type TextCount,
} from './question-figures.ts'

const versionOf = (
  version: number,
  nb_responses: number,
  questions: Question[],
): AnsweredVersion => ({
  version,
  nb_responses,
  snapshot: takeSnapshot(draftOf({ questions })),
})
const scaleCount = (version: number, answer_position: number, count: number): ChoiceCount => ({
  version,
  question_position: 0,
  answer_position,
  count,
})
const figuresOf = (versions: AnsweredVersion[], choices: ChoiceCount[]) =>
  questionFigures(versions, { choices, texts: [], repeats: [] }, new Map()).q

describe('the figures of a scale', () => {
  const scale = (scale_min: 0 | 1, scale_max: 5 | 7 | 10) =>
    questionOf('q', { type: 'scale', scale_min, scale_max })

  test('a scale from 0 to 10 has a net promoter score, which is a whole number', () => {
    const counts: [given: [number: number, count: number][], net: number][] = [
      [
        [
          [10, 2],
          [9, 1],
          [8, 1],
          [6, 2],
        ],
        17,
      ],
      [[[7, 4]], 0],
      [
        [
          [0, 1],
          [10, 1],
        ],
        0,
      ],
      [[[9, 5]], 100],
      [[[6, 3]], -100],
      [
        [
          [8, 1],
          [6, 1],
          [7, 1],
        ],
        -33,
      ],
    ]
    for (const [given, net] of counts) {
      const total = given.reduce((sum, [, count]) => sum + count, 0)
      const choices = given.map(([number, count]) => scaleCount(1, number, count))
      const figures = figuresOf([versionOf(1, total, [scale(0, 10)])], choices)
      assert.equal(figures?.recommendation?.net, net)
    }
  })

  test('the newest version of a scale decides whether replies of all versions have a net promoter score', () => {
    const hidden = { ...scale(0, 10), shows_recommendation: false }
    const choices = [scaleCount(1, 10, 3), scaleCount(2, 6, 1)]
    const netOf = (...questions: ReturnType<typeof scale>[]): number | undefined =>
      figuresOf(
        questions.map((asked, index) => versionOf(index + 1, index === 0 ? 3 : 1, [asked])),
        choices,
      )?.recommendation?.net
    assert.equal(netOf(scale(0, 10), scale(0, 10)), 50)
    assert.equal(netOf(hidden, scale(0, 10)), 50)
    assert.equal(netOf(scale(0, 10), hidden), undefined)
  })

  test('a scale with another range has no net promoter score, and the numbers of all versions have lines and a mean', () => {
    const versions = [versionOf(1, 2, [scale(1, 5)]), versionOf(2, 2, [scale(0, 7)])]
    const choices = [scaleCount(1, 5, 2), scaleCount(2, 0, 1), scaleCount(2, 7, 1)]
    assert.equal(figuresOf(versions, choices)?.recommendation, null)
    assert.equal(figuresOf(versions, choices)?.numbers?.mean, 4.25)
    const lines = questionStats(versions, choices, []).get('q')?.answers ?? []
    assert.deepEqual(
      lines.map(({ answer_text, count }) => [answer_text, count]),
      [
        ['0', 1],
        ['1', 0],
        ['2', 0],
        ['3', 0],
        ['4', 0],
        ['5', 2],
        ['6', 0],
        ['7', 1],
      ],
    )
  })

  test('a scale without replies has neither a mean nor a net promoter score', () => {
    const figures = figuresOf([versionOf(1, 3, [scale(0, 10)])], [scaleCount(1, -1, 3)])
    assert.deepEqual(
      [figures?.numbers, figures?.recommendation, figures?.nb_seen, figures?.nb_answered],
      [null, null, 3, 0],
    )
  })
})

test('the figures of a date question have its months in order, and one line for months beyond ten years', () => {
  const months = Array.from({ length: MAX_MONTHS + 2 }, (_, index): TextCount => {
    const [year, month] = [2000 + Math.floor(index / 12), (index % 12) + 1]
    return { question_id: 'q', text: `${year}-${String(month).padStart(2, '0')}`, count: 2 }
  })
  const versions = [versionOf(1, 2 * months.length, [questionOf('q', { type: 'date' })])]
  const lines = questionStats(versions, [], months.toReversed()).get('q')?.answers ?? []
  assert.equal(lines.length, MAX_MONTHS + 1)
  assert.equal(lines[0]?.answer_text, 'mars 2000')
  assert.deepEqual([lines.at(-1)?.answer_text, lines.at(-1)?.count], ['Autres mois', 4])
})

test('« Autre » is one line after the answers of all versions, with its texts', () => {
  const answers = (text: string) => [answerOf('a', { text })]
  const versions = [
    versionOf(1, 2, [questionOf('q', { answers: answers('Oui'), has_other: true })]),
    versionOf(2, 3, [questionOf('q', { answers: answers('Si') })]),
  ]
  const choices = [scaleCount(1, 0, 1), scaleCount(1, 1, 1), scaleCount(2, 0, 3)]
  const texts = [{ question_id: 'q', text: 'Peut-être', count: 1 }]
  const lines = questionStats(versions, choices, texts).get('q')?.answers ?? []
  assert.deepEqual(
    lines.map(({ answer_text, count }) => [answer_text, count]),
    [
      ['Si', 4],
      ['Autre', 1],
    ],
  )
  const { q } = questionFigures(versions, { choices, texts, repeats: [] }, new Map())
  assert.deepEqual(q?.others, [{ text: 'Peut-être', count: 1 }])
})

/** Random questions on a few pages, with random options and jumps. */
const question = fc
  .record({
    type: fc.constantFrom(
      'multiple_choice' as const,
      'scale' as const,
      'date' as const,
      'text' as const,
    ),
    page_number: fc.integer({ min: 1, max: 4 }),
    is_required: fc.boolean(),
    max_choices: fc.constantFrom(1, 2, null),
    has_other: fc.boolean(),
    jumps: fc.array(fc.constantFrom(null, null, 0, 1, 2), { minLength: 2, maxLength: 4 }),
  })
  .map(
    ({ jumps, ...options }) =>
      (id: string) =>
        questionOf(id, {
          ...options,
          answers:
            options.type === 'multiple_choice'
              ? jumps.map((ahead, rank) =>
                  answerOf(`${id}a${rank}`, {
                    jump_to: ahead === null || ahead === 0 ? ahead : options.page_number + ahead,
                  }),
                )
              : [],
        }),
  )
const versions = fc.array(question, { minLength: 1, maxLength: 7 }).map((makers) =>
  takeSnapshot(
    draftOf({
      questions: makers
        .map((make, index) => make(`q${index}`))
        .sort((a, b) => a.page_number - b.page_number)
        .map((question, global_position) => ({ ...question, global_position })),
    }),
  ),
)

/** Returns the replies that these numbers select; some leave optional questions blank. */
const repliesOf = (snapshot: AnsweredVersion['snapshot'], picks: readonly number[]): Replies =>
  Object.fromEntries(
    snapshot.questions.map((asked, index) => {
      const pick = picks[index % picks.length] ?? 0
      if (asked.is_required === false && pick % 3 === 0) return [asked.id, '']
      if (asked.type === 'scale') return [asked.id, `${pick % 11}`]
      if (asked.type === 'date') return [asked.id, `20${10 + (pick % 30)}-02-1${pick % 9}`]
      if (!isChoice(asked)) return [asked.id, `mot ${pick % 4}`]
      const ids = asked.answers.map(({ id }) => id)
      const all = asked.has_other ? [...ids, `other:texte ${pick % 5}`] : ids
      const chosen = all.slice(pick % all.length)
      const max = asked.max_choices === undefined ? 1 : (asked.max_choices ?? all.length)
      return [asked.id, max === 1 ? (chosen[0] ?? '') : chosen.slice(0, max)]
    }),
  )

test('counts equal a recount, and blank and unseen replies add up, for any questions and replies', () =>
  fc.assert(
    fc.property(
      versions,
      fc.array(fc.array(fc.nat(100), { minLength: 3, maxLength: 7 }), {
        minLength: 1,
        maxLength: 8,
      }),
      (snapshot, people) => {
        const given = people.map((picks) => repliesOf(snapshot, picks))
        for (const replies of given) assert.deepEqual(replyErrors(snapshot, replies), [])
        const { choice_questions, text_questions } = layoutOf(snapshot)
        const stored = given.map((replies) => packReplies(snapshot, replies))
        const numbers = stored.flatMap(({ choices }) =>
          choices.flatMap((number, slot) =>
            number === null ? [] : [{ number, position: choice_questions[slot] ?? -1 }],
          ),
        )
        const choices = [
          ...Map.groupBy(numbers, ({ number, position }) => `${position}/${number}`).values(),
        ].map(([chosen, ...same]) => ({
          version: 1,
          question_position: chosen?.position ?? -1,
          answer_position: chosen?.number ?? -1,
          count: same.length + 1,
        }))
        const typed = stored.flatMap(({ texts }) =>
          texts.flatMap((text, place) => {
            const question_id = text_questions[place] ?? ''
            const isDay = snapshot.questions.some(
              (asked) => asked.id === question_id && asked.type === 'date',
            )
            return text === '' ? [] : [{ question_id, text: isDay ? text.slice(0, 7) : text }]
          }),
        )
        const texts = [
          ...Map.groupBy(typed, ({ question_id, text }) => `${question_id}/${text}`).values(),
        ].flatMap(([counted, ...same]) => (counted ? [{ ...counted, count: same.length + 1 }] : []))
        const taken = [{ version: 1, nb_responses: people.length, snapshot }]
        const stats = questionStats(taken, choices, texts)
        for (const asked of askedQuestions(taken, choices)) {
          const { question, nb_seen, nb_answered } = asked
          const seen = given.filter(
            (replies) => !createIsPageSkipped(snapshot.questions, replies)(question.page_number),
          )
          const answered = seen.filter((replies) => replyPartsOf(replies, question).length > 0)
          assert.deepEqual([nb_seen, nb_answered], [seen.length, answered.length])
          const lines = stats.get(question.id)?.answers ?? []
          const sum = lines.reduce((all, { count }) => all + count, 0)
          const parts = answered.flatMap((replies) => replyPartsOf(replies, question))
          assert.equal(sum, parts.length)
          assert.deepEqual(
            lines.map(({ percentage }) => percentage),
            answerShares(
              lines.map(({ count }) => count),
              { total: answered.length, takes_several: canTakeSeveral(asked) },
            ),
          )
          for (const { id, text } of isChoice(question) ? question.answers : []) {
            const choosing = answered.filter((replies) =>
              chosenAnswers(question, replies).some((answer) => answer.id === id),
            )
            const line = lines.find(({ answer_text }) => answer_text === text)
            assert.equal(line?.count, choosing.length)
          }
          const others = parts.filter((part) => isChoice(question) && otherText(part) !== undefined)
          if (question.has_other)
            assert.equal(
              lines.find(({ answer_text }) => answer_text === 'Autre')?.count,
              others.length,
            )
        }
      },
    ),
    { numRuns: countCases(500) },
  ))
