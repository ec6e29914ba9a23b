import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDay } from '#domain/common/days.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import { adjacentPageIndex, createIsPageSkipped } from './path.ts'
import {
  canChooseSeveral,
  formatReply,
  OTHER,
  OTHER_NAME,
  otherField,
  repliesOf,
  replyTexts,
  scaleOf,
} from './replies.ts'
import { BLANK, NOT_VISITED, packReplies, replyPlaces } from './stored-replies.ts'

/** The answer « Non » jumps past page 2; all other questions are optional. */
const taken = takeSnapshot(
  draftOf({
    questions: [
      questionOf('choix', {
        answers: [answerOf('oui'), { ...answerOf('non', { position: 1 }), jump_to: 3 }],
        max_choices: 2,
        has_other: true,
      }),
      questionOf('note', {
        type: 'scale',
        scale_min: 1,
        scale_max: 5,
        is_required: false,
        global_position: 1,
        page_number: 2,
      }),
      questionOf('jour', {
        type: 'date',
        is_required: false,
        global_position: 2,
        page_number: 3,
      }),
    ],
  }),
)

describe('replies of every kind, from a form to storage', () => {
  const replies = repliesOf([
    ['choix', 'non'],
    ['choix', OTHER],
    [otherField('choix'), 'Peut-être'],
    ['jour', '2026-02-28'],
  ])

  test('fields with one name are a list, and « Autre… » takes its text', () =>
    assert.deepEqual(replies, { choix: ['non', `${OTHER}Peut-être`], jour: '2026-02-28' }))

  test('replies are stored in slots and texts, skipped pages are NOT_VISITED, and blank questions are BLANK', () => {
    assert.deepEqual(packReplies(taken, replies), {
      choices: [1, 2, NOT_VISITED, null],
      texts: ['Peut-être', '2026-02-28'],
    })
    assert.deepEqual(packReplies(taken, { choix: 'oui' }).choices, [0, null, BLANK, BLANK])
    assert.deepEqual(
      replyPlaces(taken).map(({ slot, nb_slots, text }) => [slot, nb_slots, text]),
      [
        [0, 2, 0],
        [2, 1, null],
        [3, 1, 1],
      ],
    )
  })

  test('replies are formatted as text', () => {
    const [choice, scale, day] = taken.questions
    assert.ok(choice && scale && day)
    assert.equal(formatReply(choice, replies), `non, ${OTHER_NAME} : Peut-être`)
    assert.equal(formatReply(day, replies), '28/02/2026')
    assert.deepEqual(scaleOf(scale), { from: 1, to: 5 })
    assert.deepEqual([choice, scale].map(canChooseSeveral), [true, false])
  })

  test('a reader of replies sees the range of a scale and the labels of its ends', () => {
    const scale = taken.questions[1]
    assert.ok(scale)
    const textsOf = (labels: { scale_min_label?: string; scale_max_label?: string }) =>
      replyTexts({ ...scale, ...labels }, { note: '5' })
    assert.deepEqual(textsOf({}), ['5 sur 5'])
    assert.deepEqual(textsOf({ scale_max_label: ' ', scale_min_label: 'Non' }), [
      '5 sur 5 (1\u00a0: Non)',
    ])
    assert.deepEqual(textsOf({ scale_min_label: 'Pas du tout', scale_max_label: 'Tout à fait' }), [
      '5 sur 5 (1\u00a0: Pas du tout\u202f; 5\u00a0: Tout à fait)',
    ])
    const standard = { ...scale, scale_min: undefined, scale_max: undefined }
    assert.deepEqual(replyTexts(standard, { note: '0' }), ['0 sur 10'])
    assert.deepEqual(replyTexts(scale, { note: '9' }), ['9'])
    assert.equal(formatReply(scale, { note: '5' }), '5', 'tools and tables get the number alone')
  })

  test('the path of a run skips the page in both directions', () => {
    const pages = [1, 2, 3].map((number) => ({ number }))
    const isSkipped = createIsPageSkipped(taken.questions, replies)
    const steps = [
      { page_index: 0, step: 1 },
      { page_index: 2, step: -1 },
      { page_index: 2, step: 1 },
    ] as const
    assert.deepEqual(
      steps.map((step) => adjacentPageIndex(pages, { ...step, isSkipped })),
      [2, 0, 3],
    )
  })

  for (const [text, isOne] of [
    ['2026-02-28', true],
    ['2026-02-31', false],
    ['2026-13-01', false],
    ['demain', false],
  ] as const)
    test(`the text ${text} is ${isOne ? 'a' : 'not a'} calendar day`, () =>
      assert.equal(isDay(text), isOne))
})
