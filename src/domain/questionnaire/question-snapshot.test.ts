import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { QuestionType } from '#domain/common/vocabulary.ts'
import {
  answerOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/testing/drafts.ts'
import { QUESTION_DEFAULTS } from './defaults.ts'
import { hasDifferentContent, resultAt, takeSnapshot } from './snapshot.ts'

describe('options of a question', () => {
  const everything = {
    label: 'Rythme',
    help: 'Au choix',
    is_required: false,
    max_choices: null,
    has_other: true,
    shuffles_answers: true,
    counts_in_score: true,
    scale_min: 1 as const,
    scale_max: 5 as const,
    scale_min_label: 'Non',
    scale_max_label: 'Oui',
  }
  const frozen = (more: Parameters<typeof questionOf>[1]): string[] => {
    const [question = {}] = takeSnapshot(draftOf({ questions: [questionOf('q', more)] })).questions
    return Object.keys(question).filter((name) => name in QUESTION_DEFAULTS)
  }
  const common = ['label', 'help', 'is_required']
  const ofChoice = ['max_choices', 'has_other', 'shuffles_answers']
  const ofScale = ['scale_min', 'scale_max', 'scale_min_label', 'scale_max_label']
  const cases: [QuestionType, string[]][] = [
    ['multiple_choice', [...common, ...ofChoice]],
    ['scale', [...common, ...ofScale, 'counts_in_score']],
    ['date', common],
    ['text', common],
  ]
  for (const [type, names] of cases)
    test(`only the options of its type are frozen for a ${type} question`, () =>
      assert.deepEqual(frozen({ type, ...everything }), names))
  test('a hidden net promoter score is frozen for a scale from 0 to 10 only', () => {
    const hidden = { type: 'scale', shows_recommendation: false } as const
    assert.deepEqual(frozen(hidden), ['shows_recommendation'])
    assert.deepEqual(frozen({ ...hidden, scale_max: 7 }), ['scale_max'])
    assert.deepEqual(frozen({ type: 'text', shows_recommendation: false }), [])
  })
  test('blank and default options are omitted', () => {
    assert.deepEqual(frozen(QUESTION_DEFAULTS), [])
    assert.deepEqual(frozen({ type: 'scale', help: ' ', scale_min_label: '' }), [])
  })
  test('an unlimited number of choices is kept', () =>
    assert.equal(
      takeSnapshot(draftOf({ questions: [questionOf('q', { max_choices: null })] })).questions[0]
        ?.max_choices,
      null,
    ))
  test('options of another type are not a change', () => {
    const asked = (more: Partial<typeof everything>) =>
      takeSnapshot(draftOf({ questions: [questionOf('q', { type: 'date', ...more })] }))
    assert.ok(
      !hasDifferentContent(
        asked({}),
        asked({ max_choices: null, scale_max: 5, counts_in_score: true }),
      ),
    )
  })
})

test('answers lead to visible pages by their snapshot numbers', () => {
  const jumps = [null, 0, 4, 7, 5, -1, 9]
  const answers = jumps.map((jump_to, rank) => answerOf(`a${rank}`, { jump_to }))
  const snapshot = takeSnapshot(
    draftOf({
      questions: [questionOf('q', { page_number: 2, answers })],
      text_blocks: [
        textBlockOf('first', { page_number: 4, global_position: 1 }),
        textBlockOf('blank', { content: ' ', page_number: 5, global_position: 2 }),
        textBlockOf('last', { page_number: 7, global_position: 3 }),
      ],
    }),
  )
  // An invisible page does not exist for visitors, so that a run goes to the following page.
  assert.deepEqual(
    snapshot.questions[0]?.answers.map(({ jump_to }) => jump_to),
    [undefined, 0, 2, 3, undefined, undefined, undefined],
  )
})

test('a result is shared by its rank from 1, and a sondage shares none', () => {
  const results = [resultOf('a', { priority_order: 1 }), resultOf('b', { priority_order: 0 })]
  const snapshot = takeSnapshot(draftOf({ results }))
  assert.deepEqual(
    [0, 1, 2, 3, undefined].map((rank) => resultAt(snapshot, rank)?.id),
    [undefined, 'b', 'a', undefined, undefined],
  )
  const sondage = takeSnapshot(draftOf({ quiz: quizOf({ type: 'sondage' }), results }))
  assert.equal(resultAt(sondage, 1), undefined)
})

test('fields with default values are omitted, so that old versions stay equal', () => {
  const draft = draftOf({
    quiz: quizOf({ welcome_text: ' ', font: 'lora', logo_image_id: 'logo', welcome_image_alt: '' }),
    results: [resultOf('calm', { image_id: 'cup', image_alt: '', button_text: '' })],
    questions: [
      questionOf('pace', {
        image_alt: 'Une tasse',
        label: 'Rythme',
        answers: [answerOf('slow', { image_id: 'snail', image_alt: 'Un escargot' })],
      }),
    ],
  })
  const { quiz, results, questions } = takeSnapshot(draft)
  assert.deepEqual(Object.keys(quiz).slice(-2), ['font', 'logo_image_id'])
  assert.deepEqual(Object.keys(results[0] ?? {}).slice(-2), ['image_id', 'image_alt'])
  assert.deepEqual(questions[0], {
    id: 'pace',
    text: 'pace ?',
    type: 'multiple_choice',
    label: 'Rythme',
    position: 0,
    global_position: 0,
    page_number: 1,
    answers: [
      {
        id: 'slow',
        text: 'slow',
        score: null,
        position: 0,
        associations: [],
        image_id: 'snail',
        image_alt: 'Un escargot',
      },
    ],
  })
})
