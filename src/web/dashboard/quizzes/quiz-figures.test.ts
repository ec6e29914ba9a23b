import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  daysText,
  formatExactShare,
  formatFinishedShare,
  formatTotals,
  NO_FIGURES,
  resultsText,
} from './quiz-figures.ts'

const totals = (quizzes: Parameters<typeof formatTotals>[0]) =>
  formatTotals(quizzes).map(({ value, words }) => `${value} ${words}`)

test('the share of completed visits is a whole percentage, and its title is exact', () => {
  const visited = { nb_participants: 2, nb_opened: 3 }
  assert.equal(formatFinishedShare(visited), '67\u00a0%')
  assert.equal(formatExactShare(visited), '2 sur 3 · 66,7\u00a0%')
  const unopened = { nb_participants: 0, nb_opened: 0 }
  assert.equal(formatFinishedShare(unopened), '–')
  assert.equal(formatFinishedShare({ nb_participants: 1, nb_opened: 300 }), '<\u00a01\u00a0%')
  assert.equal(formatFinishedShare({ nb_participants: 1_329, nb_opened: 2_000 }), '66\u00a0%')
  assert.equal(formatExactShare(unopened), 'Aucune ouverture comptée')
})

test('the totals of the dashboard add all quizzes and have a thousands separator', () => {
  const one = { ...NO_FIGURES, nb_participants: 500, nb_opened: 700, days: [400, 84] }
  const other = {
    ...NO_FIGURES,
    nb_participants: 210,
    nb_opened: 300,
    days: [800],
    nb_delivered: 1,
  }
  assert.deepEqual(totals([one, other]), [
    '1\u202f284 réponses en 30 jours',
    '71\u00a0% vont au bout',
    '1 contact envoyé',
  ])
  assert.deepEqual(totals([NO_FIGURES]), [
    '0 réponse en 30 jours',
    '– vont au bout',
    '0 contact envoyé',
  ])
})

test('the line and the bar of a card have a text alternative', () => {
  assert.equal(daysText([0, 3, 1]), '4 réponses en 30 jours, 3 au plus en un jour')
  assert.equal(daysText([0, 1]), '1 réponse en 30 jours, 1 au plus en un jour')
  assert.equal(daysText([0, 0]), 'Aucune réponse en 30 jours')
  assert.equal(
    resultsText([
      { result_name: 'Pas à pas', count: 2, percentage: 66.7 },
      { result_name: 'Grand saut', count: 1, percentage: 33.3 },
    ]),
    'Répartition des résultats : Pas à pas 66,7\u00a0%, Grand saut 33,3\u00a0%',
  )
})
