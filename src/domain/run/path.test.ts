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
  ['nothing chosen', {}, [1, 2, 3, 4]],
  ['answers that lead nowhere else', { q: 'a', r: 'e' }, [1, 2, 3, 4]],
  ['one that leads to a later page', { q: 'b' }, [1, 3, 4]],
  ['one that leads to the end', { q: 'c' }, [1]],
  ['the first question decides', { q: 'd', r: 'g' }, [1, 4]],
  ['of one question the first answer, as the creator has them', { q: ['d', 'b'] }, [1, 3, 4]],
  ['« Autre… » leads on', { q: 'other:x', r: 'f' }, [1, 2, 3, 4]],
  ['the second question, where the first leads on', { q: 'a', r: 'g' }, [1]],
  ['a page that is passed by decides nothing', { q: 'b', s: 'h', t: 'm' }, [1, 3]],
  ['one page after the other', { s: 'h' }, [1, 2, 4]],
  ['back, to itself, nowhere', { s: ['i', 'j', 'k'] }, [1, 2, 3, 4]],
  ['past the last page', { s: 'l' }, [1, 2]],
  ['a reply that is not offered', { q: 'zut' }, [1, 2, 3, 4]],
]
for (const [name, replies, passed] of cases)
  test(name, () => {
    const isLeftOut = createIsPageSkipped(questions, replies)
    assert.deepEqual(
      PAGES.filter((page) => !isLeftOut(page)),
      passed,
    )
    assert.deepEqual(
      visitedQuestions(questions, replies),
      questions.filter(({ page_number }) => passed.includes(page_number)),
    )
  })

test('the next and previous pages on the path', () => {
  const pages = PAGES.map((number) => ({ number }))
  const isLeftOut = (page: number): boolean => page === 2 || page === 3
  const from = (page_index: number, step: 1 | -1): number =>
    adjacentPageIndex(pages, { page_index, step, isLeftOut })
  assert.deepEqual([from(-1, 1), from(0, 1), from(3, 1)], [0, 3, 4])
  assert.deepEqual([from(4, -1), from(3, -1), from(0, -1)], [3, 0, -1])
})
