import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { draftOf, questionOf, textBlockOf } from '#domain/testing/drafts.ts'
import { gridFigures } from './grid-figures.ts'

const scale = (id: string, global_position: number, more: Partial<Question> = {}): Question =>
  questionOf(id, { type: 'scale', global_position, position: global_position, ...more })
const row = { continues_grid: true }

/** Returns the grids of one version with a participant, in words. */
const gridsOf = (draft: Parameters<typeof draftOf>[0], nb_responses = 1): string[] =>
  gridFigures([{ version: 1, nb_responses, snapshot: takeSnapshot(draftOf(draft)) }]).map(
    ({ title, questions }) => `${title}: ${questions.join()}`,
  )

test('the grids of the newest version with participants have their titles and questions', () => {
  const questions = [scale('a', 0, { grid_title: 'Avis' }), scale('b', 1, row), scale('c', 2)]
  assert.deepEqual(gridsOf({ questions }), ['Avis: a,b'])
  assert.deepEqual(gridsOf({ questions }, 0), [])
})

test('a text block and another page end a grid', () => {
  const text_blocks = [textBlockOf('text', { global_position: 1 })]
  const apart = [scale('a', 0), scale('b', 2, row), scale('c', 3, row)]
  assert.deepEqual(gridsOf({ questions: apart, text_blocks }), ['null: b,c'])
  const pages = [scale('a', 0), scale('b', 1, { ...row, page_number: 2 })]
  assert.deepEqual(gridsOf({ questions: pages }), [])
})
