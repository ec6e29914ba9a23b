import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, questionOf } from '#domain/testing/drafts.ts'
import { withSharedSettings } from './shared-settings.ts'

const scaleOf = (id: string, more: Parameters<typeof questionOf>[1] = {}) =>
  questionOf(id, { type: 'scale', answers: [], ...more })

const draft = draftOf({
  quiz_mode: null,
  questions: [
    scaleOf('a', { grid_title: 'Bilan', global_position: 0 }),
    scaleOf('b', { continues_grid: true, global_position: 1 }),
    questionOf('c', { type: 'multiple_choice', global_position: 2 }),
    questionOf('d', { type: 'text', answers: [], global_position: 3 }),
    scaleOf('e', { global_position: 4 }),
  ],
})

test('each selected question gets the settings that its type allows, and the others keep theirs', () => {
  const { questions } = withSharedSettings(draft, ['b', 'c', 'd'], {
    dimension_id: 'x',
    is_required: false,
    counts_in_score: true,
  })
  assert.deepEqual(
    questions.map((one) => [one.dimension_id, one.is_required, one.counts_in_score]),
    [
      [null, true, false],
      ['x', false, true],
      ['x', false, false],
      [null, false, false],
      [null, true, false],
    ],
  )
})

test('a question is assigned to one dimension or to none, and other questions are the same objects', () => {
  const assigned = withSharedSettings(draft, ['c'], { dimension_id: 'x' })
  assert.equal(assigned.questions[2]?.dimension_id, 'x')
  assert.equal(assigned.questions[0], draft.questions[0])
  const { questions } = withSharedSettings(assigned, ['c'], { dimension_id: null })
  assert.deepEqual(questions, draft.questions)
})

test('the scale of one row is that of its whole grid, and no setting changes besides', () => {
  const scale = { scale_min: 0, scale_max: 10, scale_min_label: 'Non' } as const
  const { questions, quiz_mode } = withSharedSettings(draft, ['b', 'd'], { scale })
  assert.deepEqual(
    questions.map(({ id, scale_max }) => [id, scale_max]),
    draft.questions.map(({ id, scale_max }) => [id, 'ab'.includes(id) ? 10 : scale_max]),
  )
  assert.deepEqual(questions[0], { ...draft.questions[0], ...scale })
  assert.equal(quiz_mode, null)
})

test('a scale that counts in a dimension makes the quiz one by score', () => {
  assert.equal(withSharedSettings(draft, ['e'], { dimension_id: 'x' }).quiz_mode, 'score')
  assert.equal(withSharedSettings(draft, ['e'], { counts_in_score: true }).quiz_mode, 'score')
})
