import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { basicPublishErrors } from '#domain/publishing/publish-check.ts'
import { publishTarget } from './publish-targets.ts'

const open = { isLocked: false, quiz: { type: 'quiz' as const } }

describe('publishTarget', () => {
  const [noQuestion, fewResults] = basicPublishErrors({
    quiz: { type: 'quiz' },
    questions: [],
    results: [],
  })
  assert.ok(noQuestion && fewResults)

  test('an error about an answer leads to its score, its results or its text, whichever comes first on the screen', () => {
    const error = { message: 'La réponse', question_id: 'q', answer_id: 'a' }
    assert.deepEqual(publishTarget(error, open), {
      step: 'questions',
      field_ids: ['score-a', 'association-a', 'field-a'],
    })
  })
  test('an error about a field of the quiz leads to the step with the field', () => {
    const stepOf = (field: string) => publishTarget({ message: 'Le quiz', field }, open).step
    assert.deepEqual(
      ['tie_question_id', 'tie_rule-both', 'certificate_text', 'welcome_title'].map(stepOf),
      ['results', 'results', 'results', 'questions'],
    )
  })
  test('an error about a question leads to its text', () => {
    assert.deepEqual(publishTarget({ message: 'La question', question_id: 'q' }, open), {
      step: 'questions',
      field_ids: ['field-q'],
    })
  })
  test('an error about an option or a jump leads to its field', () => {
    const about = { message: 'La question', question_id: 'q' }
    assert.deepEqual(publishTarget({ ...about, field: 'label' }, open).field_ids, [
      'label-q',
      'field-q',
    ])
    assert.deepEqual(
      publishTarget({ ...about, answer_id: 'a', field: 'jump_to' }, open).field_ids,
      ['jump-a', 'field-a'],
    )
    assert.deepEqual(publishTarget({ ...about, answer_id: 'a', field: 'text' }, open).field_ids, [
      'field-a',
    ])
  })
  test('an error about a result leads to its tier, on the questions screen', () => {
    assert.deepEqual(publishTarget({ message: 'Le résultat', result_id: 'r' }, open), {
      step: 'questions',
      field_ids: ['threshold-r', 'minimum-r'],
    })
  })
  test('an error about a button leads to the missing text or address', () => {
    const error = { message: 'Le bouton', result_id: 'r', field: 'button_url' }
    assert.deepEqual(publishTarget(error, open), {
      step: 'results',
      field_ids: ['button_url-r'],
    })
    assert.deepEqual(publishTarget({ message: 'Le bouton', field: 'end_button_text' }, open), {
      step: 'questions',
      field_ids: ['page-end_button_text'],
    })
  })
  test('an error about a dimension or its tier leads to its field, or to the name of the dimension', () => {
    const error = { message: 'La dimension', dimension_id: 'd', field: 'questions' }
    assert.deepEqual(publishTarget(error, open), {
      step: 'results',
      field_ids: ['dimension-d-questions', 'dimension-d-name'],
    })
    assert.deepEqual(publishTarget({ ...error, tier_id: 't', field: 'title' }, open).field_ids, [
      'dimension-t-title',
      'dimension-d-name',
    ])
  })
  test('an error about a conditional text leads to its field, on the step that edits the end', () => {
    const error = { message: 'Le texte', text_variant_id: 'v', field: 'condition_2' }
    const field_ids = ['text-variant-v-condition_2', 'text-variant-v-item']
    assert.deepEqual(publishTarget(error, open), { step: 'results', field_ids })
    const ofSondage = publishTarget(error, { ...open, quiz: { type: 'sondage' } })
    assert.deepEqual(ofSondage, { step: 'questions', field_ids })
  })
  test('an error about a missing tie question leads to its field', () =>
    assert.deepEqual(publishTarget({ message: 'Choisissez', field: 'tie_question_id' }, open), {
      step: 'results',
      field_ids: ['page-tie_question_id'],
    }))
  test('an error about missing items leads to the button that adds them', () => {
    assert.deepEqual(publishTarget(noQuestion, open), {
      step: 'questions',
      field_ids: ['add-item'],
    })
    assert.deepEqual(publishTarget(fewResults, open), {
      step: 'results',
      field_ids: ['add-result'],
    })
  })
  test('an error about locked questions leads to the results', () => {
    assert.deepEqual(publishTarget(noQuestion, { isLocked: true, quiz: open.quiz }), {
      step: 'results',
      field_ids: ['add-result'],
    })
  })
})
