import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { draftOf, questionOf } from '#domain/testing/drafts.ts'
import { exportTable } from './export-table.ts'

const row = (id: string, position: number, more: Partial<Question>): Question =>
  questionOf(id, { type: 'scale', text: 'Accueil', position, global_position: position, ...more })

test('equal rows of two grids have different titles, and other equal questions are numbered', () => {
  const questions = [
    row('a', 0, { grid_title: 'Hôtel' }),
    row('b', 1, { grid_title: 'Restaurant' }),
    row('c', 2, { type: 'text' }),
    row('d', 3, { type: 'text' }),
    row('e', 4, { grid_title: 'Spa', label: 'détente' }),
  ]
  const snapshot = takeSnapshot(draftOf({ questions }))
  const { titles } = exportTable([{ version: 1, nb_responses: 1, snapshot }])
  assert.deepEqual(titles.slice(-5), [
    'Hôtel : Accueil',
    'Restaurant : Accueil',
    'Accueil',
    'Accueil (2)',
    'détente',
  ])
})
