import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSnapshot } from '#web/player/testing/sample-snapshot.ts'
import {
  END,
  exampleOf,
  exampleState,
  parseStartPage,
  startPageQuery,
  WELCOME,
} from './preview-path.ts'
import { completeRun, startRunAt } from './run-at.ts'

const quiz = sampleSnapshot()
const sondage = sampleSnapshot({ quiz: { ...quiz.quiz, type: 'sondage' } })
const welcomed = sampleSnapshot({ quiz: { ...quiz.quiz, welcome_title: 'Bonjour' } })

for (const { name, snapshot, start_page, page_index, is_finished = false } of [
  { name: 'the welcome screen', snapshot: welcomed, start_page: WELCOME, page_index: -1 },
  { name: 'an empty welcome screen', snapshot: quiz, start_page: WELCOME, page_index: 0 },
  { name: 'a page', snapshot: welcomed, start_page: 2, page_index: 1 },
  { name: 'a page after the last', snapshot: sondage, start_page: 9, page_index: 2 },
  { name: 'the end', snapshot: sondage, start_page: END, page_index: 3, is_finished: true },
  {
    name: 'the end of a quiz, which depends on answers',
    snapshot: quiz,
    start_page: END,
    page_index: 2,
  },
])
  test(`a preview opens at its start page: ${name}`, () => {
    const run = startRunAt(snapshot, start_page)
    assert.deepEqual([run.page_index, run.is_finished], [page_index, is_finished])
  })

test('the URL of a preview contains its start page', () => {
  for (const start_page of [WELCOME, 2, END])
    assert.equal(
      parseStartPage(new URLSearchParams(startPageQuery(start_page)).get('page')),
      start_page,
    )
  assert.equal(startPageQuery(1), '')
  assert.equal(parseStartPage('abc'), WELCOME)
})

test('an example is a run at its end, with the result that visitors get for its replies', () => {
  const replies = { choix: 'choix-1' }
  const { page_index, is_finished, result } = completeRun(quiz, replies)
  assert.deepEqual([page_index, is_finished, result?.name], [3, true, 'Haut'])
  const results = quiz.results.map((one) => ({ ...one, min_score: 5, max_score: 9 }))
  assert.equal(completeRun({ ...quiz, results }, replies).result?.name, 'Bas', 'nothing matches')
})

test('the history state contains the replies of an example, and other states are ignored', () => {
  const example = { a: 'b', c: ['d', 'e'] }
  assert.deepEqual(exampleOf(exampleState(example)), example)
  for (const state of [
    null,
    'a',
    {},
    { example: null },
    { example: { a: 1 } },
    { example: { a: [1] } },
  ])
    assert.equal(exampleOf(state), undefined)
})
