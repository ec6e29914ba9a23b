import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { QUESTION_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import { itemsInOrder, placeOf } from '#domain/questionnaire/pages.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { draftOf, questionOf } from '#domain/testing/drafts.ts'
import {
  createContactItems,
  createYesOrNo,
  hasPreset,
  knownContactParts,
  SCALE_PRESETS,
  settingsOfNewScale,
} from './presets.ts'
import { questionsReducer } from './questions-reducer.ts'
import { questionsUndoGroupKey } from './questions-undo-group-key.ts'

const scale = (id: string, position: number, more: Parameters<typeof questionOf>[1] = {}) =>
  questionOf(id, { type: 'scale', global_position: position, position, ...more })

test('the first scale of a quiz goes from 0 to 10 without a net promoter score', () =>
  assert.deepEqual(
    settingsOfNewScale(draftOf({ questions: [questionOf('q')] }), { page_number: 1 }),
    { shows_recommendation: false },
  ))

test('a new scale repeats the settings of the last scale before it, but not its text, help and short name', () => {
  const five = { scale_min: 1, scale_max: 5, scale_max_label: 'Oui', is_required: false } as const
  const questions = [
    scale('a', 0, { ...five, help: 'Aide', label: 'note' }),
    questionOf('b', { global_position: 1, position: 1 }),
    scale('c', 2, { scale_max: 7, page_number: 2, counts_in_score: true }),
  ]
  const maximumAt = (to: Parameters<typeof settingsOfNewScale>[1]) =>
    settingsOfNewScale(draftOf({ questions }), to).scale_max
  assert.deepEqual(settingsOfNewScale(draftOf({ questions }), { page_number: 1, index: 2 }), {
    ...five,
    scale_min_label: null,
    counts_in_score: false,
    shows_recommendation: true,
  })
  assert.equal(maximumAt({ page_number: 2, index: 0 }), 5)
  assert.equal(maximumAt({ page_number: 2, index: 1 }), 7)
  assert.equal(maximumAt({ page_number: 3 }), 7)
  // Before the first scale, the last scale of the quiz is repeated.
  assert.equal(maximumAt({ page_number: 1, index: 0 }), 7)
})

test('each preset of a scale is one undo step and is recognised afterwards', () => {
  let draft = { ...draftOf({ questions: [scale('a', 0)] }), page_count: 1 }
  for (const preset of SCALE_PRESETS) {
    const action = { type: 'question_options_set', id: 'a', options: preset.options } as const
    draft = questionsReducer(draft, action)
    const [question = scale('a', 0)] = draft.questions
    assert.deepEqual(
      SCALE_PRESETS.filter((candidate) => hasPreset(question, candidate)),
      [preset],
    )
    assert.equal(questionsUndoGroupKey(action), null)
  }
})

test('a scale becomes a choice between yes and no with its text, place and options', () => {
  const old = scale('a', 1, { text: 'Et ?', help: 'Aide', label: 'note', is_required: false })
  const draft = { ...draftOf({ questions: [questionOf('z'), old] }), page_count: 1 }
  let count = 0
  const question = createYesOrNo(old, () => `new-${++count}`)
  const after = questionsReducer(draft, { type: 'question_replaced', id: 'a', question })
  const { id, type, answers, ...kept } = after.questions[1] ?? old
  assert.deepEqual(
    [id, type, answers.map(({ text, question_id }) => [text, question_id])],
    [
      'new-1',
      'multiple_choice',
      [
        ['Oui', 'new-1'],
        ['Non', 'new-1'],
      ],
    ],
  )
  const { id: _id, type: _type, answers: _answers, ...before } = old
  assert.deepEqual(kept, before)
})

describe('the preset « Coordonnées »', () => {
  const contextOf = () => {
    let count = 0
    return { quiz_id: 'quiz', newId: () => `new-${++count}` }
  }
  const addedTo = (questions: Question[]) =>
    createContactItems({ questions }, contextOf()).map((item) =>
      item.kind === 'question'
        ? [item.question.type, item.question.text, item.question.contact_role, item.question.label]
        : item.text_block.content,
    )
  const asked = (more: Partial<Question>): Question => questionOf('q', { type: 'text', ...more })

  const cases: [string, Question[], unknown[], known: string[]][] = [
    [
      'adds a text, the first name with its role and short name, and the address',
      [],
      [
        'Vos coordonnées',
        ['text', 'Prénom', 'first_name', 'prénom'],
        ['email', 'Email', null, null],
      ],
      [],
    ],
    [
      'leaves out the address that the quiz already asks for',
      [asked({ type: 'email' })],
      ['Vos coordonnées', ['text', 'Prénom', 'first_name', 'prénom']],
      ['email'],
    ],
    [
      'leaves out the role of another question',
      [asked({ contact_role: 'first_name' })],
      ['Vos coordonnées', ['text', 'Prénom', null, 'prénom'], ['email', 'Email', null, null]],
      ['prénom'],
    ],
    [
      'leaves out the short name of another question, whatever its case',
      [asked({ label: ' Pre\u0301nom ' })],
      ['Vos coordonnées', ['text', 'Prénom', 'first_name', null], ['email', 'Email', null, null]],
      [],
    ],
    [
      'gives the role if the one of another question has no effect',
      [asked({ type: 'date', contact_role: 'first_name' })],
      [
        'Vos coordonnées',
        ['text', 'Prénom', 'first_name', 'prénom'],
        ['email', 'Email', null, null],
      ],
      [],
    ],
  ]
  for (const [name, questions, items, known] of cases)
    test(`the preset ${name}`, () => {
      assert.deepEqual(addedTo(questions), items)
      assert.deepEqual(knownContactParts(questions), known)
    })

  test('the preset is added between two items of one page, as required questions, in one undo step', () => {
    const draft = {
      ...draftOf({
        questions: [questionOf('a'), questionOf('b', { global_position: 1, position: 1 })],
      }),
      page_count: 1,
    }
    const [item, ...more] = createContactItems(draft, contextOf())
    const action = { type: 'item_added', item, more, to: { page_number: 1, index: 1 } } as const
    const after = questionsReducer(draft, action)
    assert.deepEqual(
      itemsInOrder(after).map((item) => [placeOf(item).id, placeOf(item).page_number]),
      [
        ['a', 1],
        ['new-1', 1],
        ['new-2', 1],
        ['new-3', 1],
        ['b', 1],
      ],
    )
    assert.ok(
      QUESTION_DEFAULTS.is_required && after.questions.every((question) => question.is_required),
    )
    assert.equal(questionsUndoGroupKey(action), null)
  })
})
