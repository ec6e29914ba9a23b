import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSnapshot } from '#web/player/testing/sample-snapshot.ts'
import { END, parsePlace, placeQuery, previewState, WELCOME } from './preview-path.ts'
import { completeRun, startRunAt } from './preview-runs.ts'

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

const example = { choix: 'choix-1' }

test('the URL of a preview contains its place, and the history state the replies of a result', () => {
  for (const place of [
    ...[WELCOME, 2, END],
    { result_id: 'haut', example },
    { result_id: 'haut', example: undefined },
  ])
    assert.deepEqual(parsePlace(new URLSearchParams(placeQuery(place)), previewState(place)), place)
  assert.equal(placeQuery(1), '')
  assert.equal(parsePlace(new URLSearchParams('page=abc')), WELCOME)
  for (const state of [
    ...[null, 'a', {}, { example: null }, { example: { a: 1 } }, { example: { a: [1] } }],
  ])
    assert.deepEqual(parsePlace(new URLSearchParams('result=a'), state), {
      result_id: 'a',
      example: undefined,
    })
})

test('an example is a run at its end, with the result that visitors get for its replies', () => {
  const replies = { choix: 'choix-1' }
  const { page_index, is_finished, result } = completeRun(quiz, replies)
  assert.deepEqual([page_index, is_finished, result?.name], [3, true, 'Haut'])
  const results = quiz.results.map((scored) => ({ ...scored, min_score: 5, max_score: 9 }))
  assert.equal(completeRun({ ...quiz, results }, replies).result?.name, 'Bas', 'nothing matches')
})

test('a preview of a result is the run of its example, or an end without replies if these give another result', () => {
  const [high, low] = ['Haut', 'Bas'].map((name) =>
    quiz.results.find((result) => result.name === name),
  )
  const run = startRunAt(quiz, { result_id: high?.id ?? '', example })
  assert.deepEqual(run, completeRun(quiz, example))
  const end = startRunAt(quiz, { result_id: low?.id ?? '', example })
  assert.deepEqual(
    [end.page_index, end.is_finished, end.result, end.replies, end.detail],
    [3, true, low, {}, null],
  )
  assert.deepEqual(
    startRunAt(welcomed, { result_id: 'removed', example: undefined }).page_index,
    -1,
  )
})
