import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Question, Replies, Reply } from '#domain/questionnaire/quiz.ts'
import {
  type Snapshot,
  type SnapshotQuestion,
  takeSnapshot,
  visiblePages,
} from '#domain/questionnaire/snapshot.ts'
import { adjacentPageIndex, createIsPageSkipped } from '#domain/run/path.ts'
import { maxChoicesOf, OTHER } from '#domain/run/replies.ts'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { findUnreachablePages } from './reachability.ts'

/** Makes a draft with a question on each page, whose answers jump to these pages. */
const draftOn = (...pages: ((number | null)[] | Partial<Question>)[]) =>
  draftOf({
    questions: pages.map((page, index) => {
      const place = { page_number: index + 1, position: index, global_position: index }
      if (!Array.isArray(page)) return questionOf(`q${index}`, { ...place, ...page })
      const answers = page.map((jump_to, rank) => answerOf(`q${index}a${rank}`, { jump_to }))
      return questionOf(`q${index}`, { ...place, answers })
    }),
  })
const leading = (...jumps: (number | null)[]) =>
  jumps.map((jump_to, rank) => answerOf(`a${rank}`, { jump_to }))

describe('unreachable pages', () => {
  const cases: [string, ReturnType<typeof draftOn>, number[]][] = [
    ['a draft without jumps has none', draftOn([null], [null]), []],
    ['a page that every answer jumps over', draftOn([3, 3], [null], [null]), [2]],
    ['none if one answer leads to the next page', draftOn([3, null], [null], [null]), []],
    [
      'all pages after a question whose answers all end the run',
      draftOn([0, 0], [null], [null]),
      [2, 3],
    ],
    [
      'none if the question may be left blank',
      draftOn({ answers: leading(3, 3), is_required: false }, [null], [null]),
      [],
    ],
    [
      'none if « Autre » may be chosen',
      draftOn({ answers: leading(3), has_other: true }, [null], [null]),
      [],
    ],
    ['a page that only an unreachable page leads to', draftOn([4], [3], [null], [null]), [2, 3]],
    ['a jump to a deleted page does not count', draftOn([-1], [1], [9], [null]), []],
    [
      'a blank answer does not count',
      draftOn({ answers: [...leading(3), answerOf('b', { text: ' ' })] }, [null], [null]),
      [2],
    ],
    [
      'answers of another question type do not count',
      draftOn({ type: 'text', answers: leading(3) }, [null], [null]),
      [],
    ],
  ]
  for (const [name, draft, expected] of cases)
    test(`the unreachable pages of a draft are found: ${name}`, () =>
      assert.deepEqual(findUnreachablePages(draft), expected))

  test('a later question of the page decides its jump if the first does not', () => {
    const draft = draftOn([3, null], [null], [null])
    draft.questions.push(
      questionOf('last', {
        page_number: 1,
        position: 9,
        global_position: 0.5,
        answers: leading(4),
      }),
      questionOf('end', { page_number: 4, position: 10, global_position: 9 }),
    )
    assert.deepEqual(findUnreachablePages(draft), [2])
  })
})

/** Returns every reply to a question; of several choices, the sets of one or two. */
const repliesTo = (question: SnapshotQuestion): Reply[] => {
  const ids = question.answers.map(({ id }) => id)
  const parts = question.has_other ? [...ids, `${OTHER}x`] : ids
  const pairs =
    maxChoicesOf(question) > 1
      ? parts.flatMap((part, index) => parts.slice(index + 1).map((other) => [part, other]))
      : []
  const blank = question.is_required === false || parts.length === 0 ? [''] : []
  return [...blank, ...parts, ...pairs]
}

const everyRun = (questions: readonly SnapshotQuestion[]): Replies[] =>
  questions.reduce<Replies[]>(
    (runs, question) =>
      runs.flatMap((run) => repliesTo(question).map((reply) => ({ ...run, [question.id]: reply }))),
    [{}],
  )

/** Returns the indexes of the pages that a run visits. */
const pagesOf = (snapshot: Snapshot, replies: Replies): number[] => {
  const pages = groupIntoPages(snapshot)
  const isSkipped = createIsPageSkipped(snapshot.questions, replies)
  const passed: number[] = []
  for (let page_index = 0; page_index < pages.length; ) {
    passed.push(page_index)
    page_index = adjacentPageIndex(pages, { page_index, step: 1, isSkipped })
  }
  return passed
}

test('unreachable pages are exactly the pages that no replies lead to', () => {
  const question = fc.record({
    page_number: fc.integer({ min: 1, max: 5 }),
    is_required: fc.boolean(),
    has_other: fc.boolean(),
    max_choices: fc.constantFrom(1, 2, null),
    jumps: fc.array(fc.option(fc.integer({ min: -1, max: 6 }), { freq: 4 }), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.array(question, { maxLength: 4 }), (list) => {
      const draft = draftOf({
        questions: list.map(({ jumps, ...more }, rank) =>
          questionOf(`q${rank}`, {
            ...more,
            position: rank,
            global_position: rank,
            answers: jumps.map((jump_to, index) => answerOf(`q${rank}a${index}`, { jump_to })),
          }),
        ),
      })
      const snapshot = takeSnapshot(draft)
      const reached = new Set(everyRun(snapshot.questions).flatMap((run) => pagesOf(snapshot, run)))
      const numbers = visiblePages(draft).map(({ number }) => number)
      assert.deepEqual(
        findUnreachablePages(draft),
        numbers.filter((_, index) => !reached.has(index)),
      )
    }),
    { numRuns: countCases(300) },
  )
})
