import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question, Quiz } from '#domain/questionnaire/quiz.ts'
import { answerOf, draftOf, questionOf, quizOf } from '#domain/testing/drafts.ts'
import { correctionErrors } from './correction-check.ts'

/** Returns the fields of the errors of a question whose answers are right where `right` is true. */
const fieldsOf = (
  right: readonly boolean[],
  more: Partial<Question> = {},
  quiz: Partial<Quiz> = {},
): (string | undefined)[] =>
  correctionErrors(
    draftOf({
      quiz: quizOf(quiz),
      questions: [
        questionOf('q', {
          ...more,
          answers: right.map((is_correct, rank) =>
            answerOf(`a${rank}`, { text: 'A', is_correct, position: rank }),
          ),
        }),
      ],
    }),
  ).map(({ field }) => field)

const several = { max_choices: null }
const cases: [name: string, found: (string | undefined)[], expected: string[]][] = [
  ['one right answer', fieldsOf([true, false], {}, { shows_corrections: 'page' }), []],
  [
    'corrections without a right answer',
    fieldsOf([false, false], {}, { shows_corrections: 'end' }),
    ['shows_corrections'],
  ],
  ['no corrections and no right answer', fieldsOf([false, false]), []],
  ['a sondage', fieldsOf([false], {}, { type: 'sondage', shows_corrections: 'end' }), []],
  ['two right answers for one choice', fieldsOf([true, true]), ['is_correct']],
  [
    'three right answers for two choices',
    fieldsOf([true, true, true], { max_choices: 2 }),
    ['is_correct'],
  ],
  ['every answer is right among several choices', fieldsOf([true, true], several), []],
  [
    'all or nothing without a right answer',
    fieldsOf([false, false], { ...several, all_or_nothing: true }),
    ['is_correct'],
  ],
  [
    'all or nothing on a single choice has no effect',
    fieldsOf([false, false], { all_or_nothing: true }),
    [],
  ],
]
for (const [name, found, expected] of cases)
  test(`right answers are checked before publication: ${name}`, () =>
    assert.deepEqual(found, expected))
