import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerOf, questionOf } from '#domain/testing/drafts.ts'
import { arrowsOf, jumpLabel, pageJumps } from './page-jumps.ts'

const question = (id: string, page_number: number, jumps: (number | null)[]) =>
  questionOf(id, {
    page_number,
    answers: jumps.map((jump_to, index) => ({ ...answerOf(`${id}${index}`), jump_to })),
  })

describe('jumps between pages', () => {
  const questions = [
    question('a', 1, [null, 3, 4, -1]),
    question('b', 1, [3]),
    question('c', 3, [0, 2]),
  ]
  const jumps = pageJumps(questions)

  test('answers that lead to the same page form one jump, and jumps backwards are left out', () =>
    assert.deepEqual(jumps, [
      { from: 1, to: 3, answers: ['a1', 'b0'] },
      { from: 1, to: 4, answers: ['a2'] },
      { from: 3, to: 0, answers: ['c0'] },
    ]))

  test('jumps are described for screen readers', () =>
    assert.deepEqual(jumps.map(jumpLabel), [
      'Page 1 : saute à la page 3 (« a1 », « b0 »)',
      'Page 1 : saute à la page 4 (« a2 »)',
      'Page 3 : saute à la fin (« c0 »)',
    ]))

  test('jumps are drawn in lanes without overlap', () =>
    assert.deepEqual(arrowsOf(jumps, 5), [
      { from: 0, to: 2, lane: 0 },
      { from: 0, to: 3, lane: 1 },
      { from: 2, to: 5, lane: 2 },
    ]))

  test('the outline draws no arrows if there are no jumps', () => {
    assert.deepEqual(pageJumps([question('a', 1, [null])]), [])
    assert.deepEqual(arrowsOf([], 2), [])
  })
})
