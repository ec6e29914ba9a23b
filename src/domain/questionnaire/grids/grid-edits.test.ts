import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type Content,
  groupIntoPages,
  itemsInOrder,
  placeItems,
  placeOf,
} from '#domain/questionnaire/pages.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { answerOf, drafts, questionOf, textBlockOf } from '#domain/testing/drafts.ts'
import { groupOf, moveGroup } from './arrange-grids.ts'
import {
  addRows,
  editColumns,
  leaveGrid,
  moveRow,
  rejoinGrid,
  removeRow,
  splitGrid,
} from './grid-edits.ts'
import { groupGrids } from './grids.ts'

const answers = (id: string, texts = ['Oui', 'Non']) =>
  texts.map((text, rank) => answerOf(`${id}-${rank}`, { text, score: rank }))
const rowOf = (id: string, rank: number, more: Partial<Question> = {}): Question =>
  questionOf(id, {
    global_position: rank,
    continues_grid: id !== 'a',
    grid_title: id === 'a' ? 'Avis' : null,
    answers: answers(id),
    ...more,
  })
/** Page 1 has a grid of a, b and c, a text block and a single question; page 2 has a question. */
const content: Content = placeItems(
  itemsInOrder({
    questions: [
      ...['a', 'b', 'c'].map((id, rank) => rowOf(id, rank)),
      questionOf('e', { global_position: 4, answers: answers('e') }),
      questionOf('f', { global_position: 5, page_number: 2 }),
    ],
    text_blocks: [textBlockOf('d', { global_position: 3 })],
  }),
)

/** Returns the pages in words, with rows of a grid joined by `+`. */
const show = (shown: Content): string =>
  groupIntoPages(shown)
    .map(({ items }) =>
      groupGrids(items)
        .map((group) =>
          group.kind === 'grid'
            ? `${group.title ?? ''}[${group.rows.map(({ id }) => id).join('+')}]`
            : placeOf(group).id,
        )
        .join(' '),
    )
    .join(' | ')
let last_id = 0
const newId = (): string => `new${++last_id}`
const textsOf = ({ questions }: Content, id: string): string[] =>
  questions.find((question) => question.id === id)?.answers.map(({ text }) => text) ?? []

describe('the rows of a grid', () => {
  const cases: [rule: string, change: (from: Content) => Content, expected: string][] = [
    ['an unchanged draft has its grid', (from) => from, 'Avis[a+b+c] d e | f'],
    ['a removed first row leaves its title', (from) => removeRow(from, 'a'), 'Avis[b+c] d e | f'],
    ['a removed last row leaves the others', (from) => removeRow(from, 'c'), 'Avis[a+b] d e | f'],
    ['a row moves down', (from) => moveRow(from, 'a', 1), 'Avis[b+a+c] d e | f'],
    ['a row moves up', (from) => moveRow(from, 'c', 1), 'Avis[a+c+b] d e | f'],
    ['a row moves to the end', (from) => moveRow(from, 'a', 2), 'Avis[b+c+a] d e | f'],
    [
      'a row that becomes the first has the title',
      (from) => moveRow(from, 'c', 0),
      'Avis[c+a+b] d e | f',
    ],
    ['a row stays in its grid', (from) => moveRow(from, 'c', 3), 'Avis[a+b+c] d e | f'],
    [
      'a row does not move before its grid',
      (from) => moveRow(from, 'a', -1),
      'Avis[a+b+c] d e | f',
    ],
    [
      'a row that leaves is a single question after the grid',
      (from) => leaveGrid(from, 'a'),
      'Avis[b+c] a d e | f',
    ],
    ['a split grid is single questions', (from) => splitGrid(from, 'b'), 'a b c d e | f'],
    [
      'a grid moves as one inside its page',
      (from) => moveGroup(from, 'b', { page_number: 1, index: 9 }),
      'd e Avis[a+b+c] | f',
    ],
    [
      'a grid moves as one to another page',
      (from) => moveGroup(from, 'a', { page_number: 2, index: 1 }),
      'd e | f Avis[a+b+c]',
    ],
    [
      'an item never moves between rows',
      (from) => moveGroup(from, 'e', { page_number: 1, index: 1 }),
      'Avis[a+b+c] e d | f',
    ],
    [
      'an item moves before a grid',
      (from) => moveGroup(from, 'f', { page_number: 1, index: 0 }),
      'f Avis[a+b+c] d e',
    ],
  ]
  for (const [rule, change, expected] of cases)
    test(rule, () => assert.equal(show(change(content)), expected))

  test('added rows have the columns and scores of the last row, and no short name', () => {
    const more = addRows(content, 'a', ['x'], ['x'], newId)
    const added = more.questions[3]
    assert.deepEqual(
      [added?.text, added?.label, added?.continues_grid, added?.answers.map(({ score }) => score)],
      ['x', null, true, [0, 1]],
    )
    assert.equal(
      new Set(more.questions.flatMap((question) => question.answers.map(({ id }) => id))).size,
      10,
    )
  })

  test('a changed answer changes in every row, and the scores of other rows stay', () => {
    const renamed = editColumns(
      content,
      'b',
      (row) => ({
        ...row,
        answers: [...row.answers.slice(1), ...row.answers.slice(0, 1)].map((answer, position) => ({
          ...answer,
          position,
          text: `${answer.text} !`,
        })),
      }),
      newId,
    )
    for (const id of ['a', 'b', 'c']) assert.deepEqual(textsOf(renamed, id), ['Non !', 'Oui !'])
    assert.deepEqual(
      renamed.questions[0]?.answers.map(({ score }) => score),
      [1, 0],
    )
    assert.deepEqual(textsOf(renamed, 'e'), ['Oui', 'Non'])
    assert.equal(show(renamed), show(content))
  })

  test('a row whose answers differ by a space returns into its grid with its own scores', () => {
    const questions = content.questions.map((question) =>
      question.id === 'b' ? { ...question, answers: answers('b', ['Oui ', 'Non']) } : question,
    )
    const split = { ...content, questions }
    assert.equal(show(split), 'Avis[a] b c d e | f')
    const joined = rejoinGrid(split, 'b', newId)
    assert.equal(show(joined), show(content))
    assert.deepEqual(
      joined.questions[1]?.answers.map(({ score }) => score),
      [0, 1],
    )
  })

  test('a scale returns into a grid of choices as a new question', () => {
    const questions = content.questions.map((question) =>
      question.id === 'c' ? { ...question, type: 'scale' as const, answers: [] } : question,
    )
    const joined = rejoinGrid({ ...content, questions }, 'c', newId)
    assert.match(show(joined), /^Avis\[a\+b\+new\d+\] d e \| f$/)
  })

  test('forty rows are added and move as one', () => {
    const long = addRows(
      content,
      'a',
      Array.from({ length: 37 }, (_, rank) => `${rank}`),
      [],
      newId,
    )
    const moved = moveGroup(long, 'c', { page_number: 2, index: 0 })
    assert.equal(groupOf(moved, 'a').length, 40)
    assert.deepEqual(
      moved.questions.map(({ position }) => position),
      moved.questions.map((_, rank) => rank),
    )
  })

  test('a move of any item keeps every grid whole or makes it larger', () => {
    const grids = (shown: Content): string[][] =>
      groupIntoPages(shown).flatMap(({ items }) =>
        groupGrids(items).flatMap((group) =>
          group.kind === 'grid' ? [group.rows.map(({ id }) => id)] : [],
        ),
      )
    const place = fc.record({ page_number: fc.integer({ min: 1, max: 4 }), index: fc.nat(6) })
    fc.assert(
      fc.property(drafts, fc.nat(20), place, (draft, rank, to) => {
        const items = itemsInOrder(draft)
        const item = items[rank % Math.max(1, items.length)]
        if (!item) return
        const moved = grids(moveGroup(draft, placeOf(item).id, to))
        for (const rows of grids(draft))
          assert.ok(
            moved.some((after) => after.join().includes(rows.join())),
            rows.join(),
          )
      }),
    )
  })
})
