import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSort, type Sort, sortQuizzes } from './quiz-search.ts'

const quiz = (name: string, nb_responses: number, created: number, updated: number) => ({
  name,
  nb_responses,
  created_at: `2026-01-0${created}T12:00:00.000Z`,
  updated_at: `2026-02-0${updated}T12:00:00.000Z`,
})
const QUIZZES = [
  quiz('Été 10', 3, 2, 4),
  quiz('été 9', 3, 3, 2),
  quiz('Automne', 12, 1, 1),
  quiz('Zèbre', 0, 4, 3),
]
const orders: [sort: Sort, names: string[]][] = [
  ['updated', ['Été 10', 'Zèbre', 'été 9', 'Automne']],
  ['name', ['Automne', 'été 9', 'Été 10', 'Zèbre']],
  ['responses', ['Automne', 'Été 10', 'été 9', 'Zèbre']],
  ['created', ['Zèbre', 'été 9', 'Été 10', 'Automne']],
]
for (const [sort, names] of orders)
  test(`sortQuizzes sorts the quizzes by ${sort}`, () =>
    assert.deepEqual(
      sortQuizzes(QUIZZES, sort).map(({ name }) => name),
      names,
    ))

test('the dashboard is sorted by last change if the browser has no storage', () => {
  assert.equal(readSort(), 'updated')
})
