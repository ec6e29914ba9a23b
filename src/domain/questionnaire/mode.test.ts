import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { QUIZ_MODES, type QuizMode } from '#domain/common/vocabulary.ts'
import { answerOf, drafts, questionOf } from '#domain/testing/drafts.ts'
import { eraseMode, hasAssociationFields, hasScoreFields, modeAfterEdit } from './mode.ts'

const plain = questionOf('q', { answers: [answerOf('a'), answerOf('b', { score: 0 })] })
const scored = questionOf('q', { answers: [answerOf('a', { score: -1 })] })
const ticked = questionOf('q', { answers: [answerOf('a', { counts_for: { Lune: 1 } })] })
const counted = { ...questionOf('q'), type: 'scale' as const, counts_in_score: true }
const measured = { ...questionOf('q'), type: 'scale' as const, dimension_id: 'd' }
const both = [scored, ticked]

describe('modeAfterEdit (product 4.1)', () => {
  const cases: [string, QuizMode, (typeof plain)[], QuizMode, QuizMode][] = [
    ['zero and missing scores set no mode', null, [plain], null, null],
    ['the first non-zero score sets the mode score', null, [plain, scored], null, 'score'],
    ['the first ticked association sets the mode profils', null, [plain, ticked], null, 'profils'],
    ['the first scale that counts sets the mode score', null, [plain, counted], null, 'score'],
    ['the first scale of a dimension sets the mode score', null, [plain, measured], null, 'score'],
    [
      'a dimension of answers without scores sets no mode',
      null,
      [{ ...plain, dimension_id: 'd' }],
      null,
      null,
    ],
    [
      'a counting flag of another question type sets no mode',
      null,
      [{ ...counted, type: 'text' }],
      null,
      null,
    ],
    ['a score and an association together set the mode score', null, both, null, 'score'],
    [
      'a score and an association together can choose the mode profils',
      null,
      both,
      'profils',
      'profils',
    ],
    ['a chosen mode without score or association sets no mode', null, [plain], 'score', null],
    ['a mode stays after it is set', 'score', [ticked], 'profils', 'score'],
    [
      'a mode stays even if its scores or associations are gone',
      'profils',
      [plain],
      null,
      'profils',
    ],
  ]
  for (const [name, current, questions, wished, expected] of cases)
    test(`an edit sets the right mode: ${name}`, () =>
      assert.equal(modeAfterEdit(current, questions, wished), expected))
})

test('a reset erases everything that sets a mode and changes nothing else', () =>
  fc.assert(
    fc.property(drafts, ({ questions }) => {
      const erased = eraseMode(questions)
      assert.equal(modeAfterEdit(null, erased), null)
      const texts = (list: typeof questions) =>
        list.map(({ id, text, answers }) => [id, text, answers.map((answer) => answer.text)])
      assert.deepEqual(texts(erased), texts(questions))
    }),
  ))

test('the score mode hides associations, the profils mode hides scores, and no mode hides neither (product 4.3)', () => {
  const shown = [null, ...QUIZ_MODES].map((mode) => [
    mode,
    hasScoreFields(mode),
    hasAssociationFields(mode),
  ])
  assert.deepEqual(shown, [
    [null, true, true],
    ['score', true, false],
    ['profils', false, true],
  ])
})
