import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { answerOf, questionOf } from '#domain/testing/drafts.ts'
import { adjacentPageIndex, createIsPageSkipped, visitedQuestions } from './path.ts'

/** Makes a choice question on a page; each answer leads to the page after its colon. */
const choice = (id: string, page_number: number, ...answers: string[]): SnapshotQuestion =>
  questionOf(id, {
    page_number,
    max_choices: null,
    has_other: true,
    answers: answers.map((given) => {
      const [name = '', to] = given.split(':')
      return answerOf(name, { jump_to: to === undefined ? null : Number(to) })
    }),
  })

const PAGES = [1, 2, 3, 4]
const questions = [
  choice('q', 1, 'a', 'b:3', 'c:0', 'd:4'),
  choice('r', 1, 'e', 'f:2', 'g:0'),
  choice('s', 2, 'h:4', 'i:1', 'j:2', 'k:-1', 'l:9'),
  choice('t', 3, 'm:0'),
]

const cases: [name: string, replies: Replies, passed: number[]][] = [
  ['no answer is chosen', {}, [1, 2, 3, 4]],
  ['the answers have no jumps', { q: 'a', r: 'e' }, [1, 2, 3, 4]],
  ['an answer jumps to a later page', { q: 'b' }, [1, 3, 4]],
  ['an answer jumps to the end', { q: 'c' }, [1]],
  ['the first question decides', { q: 'd', r: 'g' }, [1, 4]],
  ['the first chosen answer in the creator’s order decides', { q: ['d', 'b'] }, [1, 3, 4]],
  ['« Autre… » leads to the next page', { q: 'other:x', r: 'f' }, [1, 2, 3, 4]],
  ['the second question decides if the first leads to the next page', { q: 'a', r: 'g' }, [1]],
  ['a skipped page decides nothing', { q: 'b', s: 'h', t: 'm' }, [1, 3]],
  ['each page is followed by the page it leads to', { s: 'h' }, [1, 2, 4]],
  [
    'jumps backwards, to the own page and to a deleted page are ignored',
    { s: ['i', 'j', 'k'] },
    [1, 2, 3, 4],
  ],
  ['a jump past the last page ends the run', { s: 'l' }, [1, 2]],
  ['a reply that is not offered is ignored', { q: 'zut' }, [1, 2, 3, 4]],
]
for (const [name, replies, passed] of cases)
  test(`a run passes the pages on its path: ${name}`, () => {
    const isSkipped = createIsPageSkipped(questions, replies)
    assert.deepEqual(
      PAGES.filter((page) => !isSkipped(page)),
      passed,
    )
    assert.deepEqual(
      visitedQuestions(questions, replies),
      questions.filter(({ page_number }) => passed.includes(page_number)),
    )
  })

test('adjacentPageIndex returns the next and previous pages on the path', () => {
  const pages = PAGES.map((number) => ({ number }))
  const isSkipped = (page: number): boolean => page === 2 || page === 3
  const from = (page_index: number, step: 1 | -1): number =>
    adjacentPageIndex(pages, { page_index, step, isSkipped })
  assert.deepEqual([from(-1, 1), from(0, 1), from(3, 1)], [0, 3, 4])
  assert.deepEqual([from(4, -1), from(3, -1), from(0, -1)], [3, 0, -1])
})
