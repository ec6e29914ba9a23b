import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dimensionOf, draftOf, questionOf, quizOf, textBlockOf } from '#domain/testing/drafts.ts'
import { insertableNamesAtEnd, labelsBefore } from './insertable-names.ts'

const ask = (id: string, global_position: number, more: Parameters<typeof questionOf>[1] = {}) =>
  questionOf(id, { type: 'text', text: `Question ${id}`, global_position, ...more })
const say = (content: string, global_position: number) =>
  textBlockOf(`b${global_position}`, { content, global_position })
const SONDAGE = quizOf({ type: 'sondage' })

test('a text can insert the labels before it, and at the end also what the quiz computes', () => {
  const draft = draftOf({
    quiz_mode: 'score',
    questions: [ask('q', 0, { label: 'Ville ' }), ask('r', 2), ask('s', 3, { label: 'Âge' })],
    text_blocks: [say('a', 1)],
  })
  assert.deepEqual(labelsBefore(draft, 'q'), [])
  assert.deepEqual(labelsBefore(draft, 's'), ['Ville'])
  assert.deepEqual(insertableNamesAtEnd(draft), ['résultat', 'score', 'Ville', 'Âge'])
  assert.deepEqual(insertableNamesAtEnd({ ...draft, quiz_mode: null }), [
    'résultat',
    'Ville',
    'Âge',
  ])
  const dimensions = [dimensionOf('d', { name: 'Santé ' })]
  assert.deepEqual(insertableNamesAtEnd({ ...draft, dimensions }), [
    ...['résultat', 'score', 'point fort', 'point faible', 'dimension Santé'],
    ...['Ville', 'Âge'],
  ])
  assert.deepEqual(insertableNamesAtEnd({ ...draft, quiz: SONDAGE }), ['Ville', 'Âge'])
})
