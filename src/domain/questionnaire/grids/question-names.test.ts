import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QUESTION_DEFAULTS } from '#domain/questionnaire/defaults.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { questionName, questionText } from './question-names.ts'

const scale = (position: number, more: Partial<Question>): Question => ({
  id: `q${position}`,
  quiz_id: '',
  text: 'Accueil',
  type: 'scale',
  ...QUESTION_DEFAULTS,
  position,
  global_position: position,
  page_number: 1,
  answers: [],
  ...more,
})

test('a row of a grid is named with its grid, and any other question by its text', () => {
  const questions = [
    scale(0, { grid_title: ' Hôtel ' }),
    scale(1, { continues_grid: true, text: 'Chambre' }),
    scale(2, { grid_title: 'Restaurant' }),
    scale(3, { continues_grid: true, text: 'Cuisine', label: 'plats' }),
    scale(4, { continues_grid: true, scale_max: 5, text: 'Prix' }),
    scale(5, { type: 'text', grid_title: 'Vestige' }),
    scale(7, { grid_title: null }),
    scale(8, { continues_grid: true, text: 'Service' }),
  ]
  assert.deepEqual(
    questions.map((question) => questionText(questions, question)),
    [
      ...['Hôtel : Accueil', 'Hôtel : Chambre', 'Restaurant : Accueil', 'Restaurant : Cuisine'],
      ...['Prix', 'Accueil', 'Accueil', 'Service'],
    ],
  )
  assert.deepEqual(
    questions.slice(2, 4).map((question) => questionName(questions, question)),
    ['Restaurant : Accueil', 'plats'],
  )
})

test('a row after a text block is not named with the grid before it', () => {
  const questions = [
    scale(0, { grid_title: 'Hôtel' }),
    scale(2, { continues_grid: true, text: 'Chambre' }),
  ]
  assert.deepEqual(
    questions.map((question) => questionText(questions, question)),
    ['Hôtel : Accueil', 'Chambre'],
  )
})

test('a row without a text has the title of its grid, and a grid without a title adds nothing', () => {
  const questions = [
    scale(0, { grid_title: 'Hôtel', text: '' }),
    scale(2, { grid_title: ' ', text: 'Lit' }),
    scale(3, { continues_grid: true, text: 'Bruit' }),
  ]
  assert.deepEqual(
    questions.map((question) => questionText(questions, question)),
    ['Hôtel', 'Lit', 'Bruit'],
  )
})
