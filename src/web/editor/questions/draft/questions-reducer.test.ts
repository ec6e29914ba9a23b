import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDING_DEFAULTS, TIE_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import { itemsInOrder, placeOf } from '#domain/questionnaire/pages.ts'
import { questionOf } from '#domain/testing/drafts.ts'
import { copyItem, createQuestion, createTextBlock } from './new-items.ts'
import { type QuestionsAction, type QuestionsDraft, questionsReducer } from './questions-reducer.ts'

const quiz_id = '00000000-0000-4000-8000-000000000000'

/** Returns a function that generates the ids a, b, c… */
const letters = (): (() => string) => {
  let code = 'a'.charCodeAt(0)
  return () => String.fromCharCode(code++)
}

const moon = {
  id: 'moon',
  quiz_id,
  name: 'Lune',
  description: null,
  priority_order: 0,
  min_score: null,
  max_score: null,
  ...ENDING_DEFAULTS,
  updated_at: '2026-01-01T00:00:00.000Z',
}
const empty: QuestionsDraft = {
  quiz: TIE_DEFAULTS,
  questions: [],
  text_blocks: [],
  quiz_mode: null,
  results: [moon],
  page_count: 1,
}

const after = (draft: QuestionsDraft, ...actions: QuestionsAction[]): QuestionsDraft =>
  actions.reduce(questionsReducer, draft)

const order = (draft: QuestionsDraft): [string, number, number][] =>
  itemsInOrder(draft)
    .map(placeOf)
    .map(({ id, page_number, global_position }) => [id, page_number, global_position])

/** Question a with answers b and c on page 1, text block d on page 2. */
const twoPages = (): QuestionsDraft => {
  const newId = letters()
  return after(
    empty,
    {
      type: 'item_added',
      item: { kind: 'question', question: createQuestion('multiple_choice', { quiz_id, newId }) },
      to: { page_number: 1 },
    },
    { type: 'page_added' },
    {
      type: 'item_added',
      item: { kind: 'text_block', text_block: createTextBlock({ quiz_id, newId }) },
      to: { page_number: 2 },
    },
  )
}
const answer = { question_id: 'a', answer_id: 'b' }

describe('items and pages', () => {
  test('a new page comes after the last page', () => assert.equal(twoPages().page_count, 2))

  test('moving an item to another page renumbers the items', () => {
    const moved = after(twoPages(), {
      type: 'item_moved',
      id: 'd',
      to: { page_number: 1, index: 0 },
    })
    assert.deepEqual(order(moved), [
      ['d', 1, 0],
      ['a', 1, 1],
    ])
    assert.equal(moved.page_count, 2, 'the page that became empty stays')
  })

  test('deleting an empty page lowers the pages after it', () => {
    const moved = after(
      twoPages(),
      { type: 'item_moved', id: 'a', to: { page_number: 2, index: 0 } },
      { type: 'page_deleted', page_number: 1 },
    )
    assert.deepEqual(order(moved), [
      ['a', 1, 0],
      ['d', 1, 1],
    ])
    assert.equal(moved.page_count, 1)
  })

  test('a page moves with its items', () => {
    const moved = after(twoPages(), { type: 'page_moved', from: 2, to: 1 })
    assert.deepEqual(order(moved), [
      ['d', 1, 0],
      ['a', 2, 1],
    ])
    assert.equal(moved.page_count, 2)
  })

  test('an empty page can be moved too', () => {
    const moved = after(twoPages(), { type: 'page_added' }, { type: 'page_moved', from: 3, to: 1 })
    assert.deepEqual(order(moved), [
      ['a', 2, 0],
      ['d', 3, 1],
    ])
    assert.equal(moved.page_count, 3)
  })

  test('a copied page comes after its original, before the others', () => {
    const items = itemsInOrder(twoPages()).slice(0, 1)
    const newId = letters()
    const copies = items.map((item) => copyItem(item, () => `copy-${newId()}`))
    const copied = after(twoPages(), { type: 'page_copied', page_number: 1, items: copies })
    assert.deepEqual(order(copied), [
      ['a', 1, 0],
      ['copy-a', 2, 1],
      ['d', 3, 2],
    ])
    assert.equal(copied.page_count, 3)
  })

  test('removing an item renumbers the other items', () =>
    assert.deepEqual(order(after(twoPages(), { type: 'item_removed', id: 'a' })), [['d', 2, 0]]))

  test('a copy equals the original except for its new ids', () => {
    const scored = after(twoPages(), { type: 'answer_scored', ...answer, score: 3 })
    const [question] = scored.questions
    assert.ok(question)
    const newId = letters()
    const copy = copyItem({ kind: 'question', question }, () => `copy-${newId()}`)
    assert.ok(copy.kind === 'question')
    assert.equal(copy.question.id, 'copy-a')
    assert.deepEqual(
      copy.question.answers.map(({ id, question_id, score }) => [id, question_id, score]),
      [
        ['copy-b', 'copy-a', 3],
        ['copy-c', 'copy-a', null],
      ],
    )
  })
})

test('a copied question has no short name and no role, because each identifies one question', () => {
  const question = questionOf('q', { type: 'text', label: 'prénom', contact_role: 'first_name' })
  const copy = copyItem({ kind: 'question', question }, letters())
  assert.ok(copy.kind === 'question')
  assert.deepEqual([copy.question.label, copy.question.contact_role], [null, null])
})

describe('the mode (product 4.1)', () => {
  const cases: { name: string; action: QuestionsAction; mode: QuestionsDraft['quiz_mode'] }[] = [
    {
      name: 'a score of zero sets no mode',
      action: { type: 'answer_scored', ...answer, score: 0 },
      mode: null,
    },
    {
      name: 'the first non-zero score sets the score mode',
      action: { type: 'answer_scored', ...answer, score: 2 },
      mode: 'score',
    },
    {
      name: 'the first association sets the profile mode',
      action: { type: 'answer_associated', ...answer, result_id: 'moon', is_checked: true },
      mode: 'profils',
    },
  ]
  for (const { name, action, mode } of cases)
    test(name, () => assert.equal(after(twoPages(), action).quiz_mode, mode))

  test('erasing the score keeps the mode, and resetting the mode clears scores and bounds', () => {
    const scored = after(
      twoPages(),
      { type: 'answer_scored', ...answer, score: 2 },
      { type: 'threshold_set', result_id: 'moon', min_score: 1 },
      { type: 'answer_scored', ...answer, score: 0 },
    )
    assert.equal(scored.quiz_mode, 'score')
    const reset = after(scored, { type: 'mode_reset' })
    assert.equal(reset.quiz_mode, null)
    assert.deepEqual(
      reset.questions[0]?.answers.map(({ score }) => score),
      [null, null],
    )
    assert.deepEqual(reset.results, [moon])
  })

  test('resetting unticks every association', () => {
    const associated = after(
      twoPages(),
      { type: 'answer_associated', ...answer, result_id: 'moon', is_checked: true },
      { type: 'mode_reset' },
    )
    assert.deepEqual(
      associated.questions[0]?.answers[0]?.associations.map(({ is_checked }) => is_checked),
      [false],
    )
  })
})

test('a weight changes only its own association', () => {
  const weighted = after(
    twoPages(),
    { type: 'answer_associated', ...answer, result_id: 'moon', is_checked: true },
    { type: 'association_weighted', ...answer, result_id: 'moon', weight: 3 },
    { type: 'association_weighted', ...answer, result_id: 'sun', weight: 5 },
  )
  assert.deepEqual(
    weighted.questions[0]?.answers[0]?.associations.map(({ result_id, weight, is_checked }) => [
      result_id,
      weight,
      is_checked,
    ]),
    [['moon', 3, true]],
  )
})

test('a bound is set on its result and leaves the other bound', () => {
  const { results } = after(
    empty,
    { type: 'threshold_set', result_id: 'moon', min_score: 4 },
    { type: 'threshold_set', result_id: 'moon', max_score: 9 },
  )
  assert.deepEqual(results, [{ ...moon, min_score: 4, max_score: 9 }])
})

test('tiers are assigned to the results in order, and a boundary between two tiers can be moved', () => {
  const sun = { ...moon, id: 'sun', name: 'Soleil', priority_order: 1 }
  const bounds = (draft: QuestionsDraft) =>
    draft.results.map(({ id, min_score, max_score }) => [id, min_score, max_score])
  const spread = after(
    { ...empty, results: [moon, sun] },
    {
      type: 'tiers_spread',
      tiers: [
        { from: 0, to: 4 },
        { from: 5, to: 9 },
      ],
    },
  )
  assert.deepEqual(bounds(spread), [
    ['moon', 0, 4],
    ['sun', 5, 9],
  ])
  const moved = after(spread, { type: 'boundary_moved', lower_id: 'moon', upper_id: 'sun', at: 6 })
  assert.deepEqual(bounds(moved), [
    ['moon', 0, 6],
    ['sun', 7, 9],
  ])
})

test('an item or a page replaces the empty answer in which its menu was opened', () => {
  const text_block = createTextBlock({ quiz_id, newId: () => 'e' })
  const answerIds = ({ questions }: QuestionsDraft) => questions[0]?.answers.map(({ id }) => id)
  const added = after(twoPages(), {
    type: 'item_added',
    item: { kind: 'text_block', text_block },
    to: { page_number: 1, index: 1 },
    erased: answer,
  })
  assert.deepEqual(answerIds(added), ['c'])
  assert.deepEqual(order(added), [
    ['a', 1, 0],
    ['e', 1, 1],
    ['d', 2, 2],
  ])
  const paged = after(twoPages(), { type: 'page_added', erased: answer })
  assert.deepEqual(answerIds(paged), ['c'])
  assert.equal(paged.page_count, 3)
})
