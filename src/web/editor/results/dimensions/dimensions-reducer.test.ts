import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  answerOf,
  dimensionOf,
  draftOf,
  questionOf,
  textBlockOf,
  tierOf,
} from '#domain/testing/drafts.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { dimensionLabel, pointsLabel, scoredQuestions } from './dimension-figures.ts'
import {
  type DimensionsAction,
  dimensionsAnnouncement,
  dimensionsReducer,
  dimensionsUndoGroupKey,
} from './dimensions-reducer.ts'

const scored = (id: string, dimension_id: string | null, global_position: number) =>
  questionOf(id, {
    dimension_id,
    global_position,
    text: id,
    answers: [answerOf(`${id}1`, { score: 1 }), answerOf(`${id}2`, { score: 4 })],
  })
const draft: EditorDraft = {
  ...draftOf({
    dimensions: [dimensionOf('health', { tiers: [tierOf('low', 0, 100)] })],
    text_blocks: [textBlockOf('hello', { global_position: 0 })],
    questions: [
      questionOf('mail', { type: 'email', global_position: 1 }),
      scored('sleep', 'health', 2),
      questionOf('mood', { type: 'scale', dimension_id: 'health', global_position: 3 }),
    ],
  }),
  page_count: 1,
  revision: 1,
  last_names: {},
}
const after = (...actions: DimensionsAction[]): EditorDraft =>
  actions.reduce(dimensionsReducer, draft)

test('a new dimension of a question is assigned to it in the same edit', () => {
  const { dimensions, questions } = after({
    type: 'dimension_added',
    id: 'work',
    name: 'Travail',
    question_id: 'sleep',
  })
  assert.deepEqual(
    dimensions.map(({ name }) => name),
    ['health', 'Travail'],
  )
  assert.equal(questions[1]?.dimension_id, 'work')
})

test('the first scale of a dimension sets the mode score, with or without points in the total', () => {
  assert.equal(draft.quiz_mode, null)
  const assigned = after({ type: 'question_assigned', question_id: 'mood', dimension_id: 'health' })
  assert.equal(assigned.quiz_mode, 'score')
})

test('a tier is added, changed and removed within its dimension', () => {
  const id = 'health'
  const tiers = after(
    { type: 'tier_added', id, tier_id: 'high' },
    { type: 'tier_changed', id, tier_id: 'low', to_percent: 49, title: 'Faible' },
    { type: 'tier_removed', id, tier_id: 'high' },
  ).dimensions[0]?.tiers
  assert.deepEqual(tiers, [tierOf('low', 0, 49, { title: 'Faible' })])
})

test('typing in one field is one undo step, and other actions are steps of their own', () => {
  const named = (name: string): DimensionsAction => ({ type: 'changed', id: 'a', fields: { name } })
  assert.equal(dimensionsUndoGroupKey(named('S')), dimensionsUndoGroupKey(named('Sa')))
  assert.notEqual(
    dimensionsUndoGroupKey({ type: 'tier_changed', id: 'a', tier_id: 't', title: 'S' }),
    dimensionsUndoGroupKey({ type: 'tier_changed', id: 'a', tier_id: 'u', title: 'S' }),
  )
  assert.equal(dimensionsUndoGroupKey({ type: 'tiers_spread', id: 'a' }), null)
})

test('additions, moves and divided tiers are announced, and a drag announces itself', () => {
  const added: DimensionsAction = { type: 'dimension_added', id: 'work', name: 'Travail' }
  assert.equal(
    dimensionsAnnouncement(after(added), added),
    '« Travail » ajoutée : position 2 sur 2',
  )
  const moved: DimensionsAction = { type: 'moved', from: 1, to: 0 }
  assert.equal(
    dimensionsAnnouncement(after(added, moved), moved),
    '« Travail » déplacée : position 1 sur 2',
  )
  assert.equal(dimensionsAnnouncement(draft, { ...moved, is_dragged: true }), undefined)
  assert.equal(
    dimensionsAnnouncement(draft, { type: 'tiers_spread', id: 'health' }),
    'Paliers répartis : health',
  )
})

describe('the figures of a dimension', () => {
  test('only choices and scales can give points, with the numbers of the questions step', () =>
    assert.deepEqual(
      scoredQuestions(draft).map(({ question, number, range }) => [question.id, number, range]),
      [
        ['sleep', 2, { from: 1, to: 4 }],
        ['mood', 3, { from: 0, to: 10 }],
      ],
    ))
  test('the ranges of its questions are added', () => {
    const questions = scoredQuestions(draft)
    assert.equal(dimensionLabel('health', questions), '2 questions, de 1 à 14 points')
    assert.equal(dimensionLabel('work', questions), 'Aucune question')
  })
  test('a range is written in French', () => {
    assert.equal(pointsLabel({ from: 0, to: 0 }), '0 point')
    assert.equal(pointsLabel({ from: 2, to: 2 }), '2 points')
    assert.equal(pointsLabel({ from: -1, to: 3 }), 'de -1 à 3 points')
  })
})
