import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { groupIntoPages, type Item, itemsInOrder, placeOf } from '#domain/questionnaire/pages.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, drafts, questionOf, textBlockOf } from '#domain/testing/drafts.ts'
import { findMisfits, groupGrids, itemsOfGroup } from './grids.ts'

const asItem = (question: Question): Item => ({ kind: 'question', question })
const scale = (id: string, more: Partial<Question> = {}): Item =>
  asItem(questionOf(id, { type: 'scale', scale_min: 1, scale_max: 5, ...more }))
const choice = (id: string, texts: readonly string[], more: Partial<Question> = {}): Item => {
  const answers = texts.map((text, rank) => answerOf(`${id}${rank}`, { text }))
  return asItem(questionOf(id, { answers, ...more }))
}
const block: Item = { kind: 'text_block', text_block: textBlockOf('block') }
const row = { continues_grid: true }

/** Returns the grouping in words: rows of a grid are joined by `+`, after the title. */
const inWords = (items: readonly Item[]): string =>
  groupGrids(items)
    .map((group) => {
      if (group.kind !== 'grid') return placeOf(group).id
      return `${group.title ?? ''}[${group.rows.map(({ id }) => id).join('+')}]`
    })
    .join(' ')

const YES_NO = ['Oui', 'Non']
const cases: [rule: string, items: Item[], grouping: string, misfits?: string][] = [
  ['a scale after an equal scale continues its grid', [scale('a'), scale('b', row)], '[a+b]'],
  ['equal scales without the mark stay single', [scale('a'), scale('b')], 'a b'],
  ['a title names the grid', [scale('a', { grid_title: 'Avis' }), scale('b', row)], 'Avis[a+b]'],
  ['a titled question alone is a grid of one row', [scale('a', { grid_title: 'Avis' })], 'Avis[a]'],
  ['a blank title is no title', [scale('a', { grid_title: ' ' })], 'a'],
  [
    'an open question with a title is not a grid',
    [asItem(questionOf('a', { type: 'text', grid_title: 'Avis' }))],
    'a',
  ],
  [
    'a marked question at the start of a page is not a grid',
    [scale('a', row)],
    'a',
    'a no_grid_before',
  ],
  [
    'a text block ends a grid',
    [scale('a'), block, scale('b', row)],
    'a block b',
    'b no_grid_before',
  ],
  [
    'another range is another grid',
    [scale('a'), scale('b', { ...row, scale_max: 10 })],
    'a b',
    'b other_scale',
  ],
  [
    'another end label is another grid',
    [scale('a'), scale('b', { ...row, scale_min_label: 'Non' })],
    'a b',
    'b other_scale',
  ],
  [
    'a blank end label is no label',
    [scale('a'), scale('b', { ...row, scale_min_label: ' ' })],
    '[a+b]',
  ],
  [
    'a scale does not continue choices',
    [choice('a', YES_NO), scale('b', row)],
    'a b',
    'b other_scale',
  ],
  ['equal answers continue a grid', [choice('a', YES_NO), choice('b', YES_NO, row)], '[a+b]'],
  [
    'blank answers do not count',
    [choice('a', YES_NO), choice('b', ['Oui', ' ', 'Non'], row)],
    '[a+b]',
  ],
  [
    'answers in another order are other answers',
    [choice('a', YES_NO), choice('b', ['Non', 'Oui'], row)],
    'a b',
    'b other_answers',
  ],
  [
    'a space makes another answer',
    [choice('a', YES_NO), choice('b', ['Oui ', 'Non'], row)],
    'a b',
    'b spaces_in_answers',
  ],
  [
    'a question with several choices is not a row',
    [choice('a', YES_NO), choice('b', YES_NO, { ...row, max_choices: 2 })],
    'a b',
    'b not_a_row',
  ],
  [
    'a question with « Autre » is not a row',
    [choice('a', YES_NO), choice('b', YES_NO, { ...row, has_other: true })],
    'a b',
    'b not_a_row',
  ],
  [
    'a question with pictures in its answers is not a row',
    [
      choice('a', YES_NO),
      asItem(
        questionOf('b', {
          ...row,
          answers: [
            answerOf('b0', { text: 'Oui', image_id: 'i' }),
            answerOf('b1', { text: 'Non' }),
          ],
        }),
      ),
    ],
    'a b',
    'b not_a_row',
  ],
  [
    'a grid goes on after a question outside of it only as a new grid',
    [scale('a'), scale('b', { ...row, scale_max: 10 }), scale('c', row), scale('d', row)],
    'a b [c+d]',
    'b other_scale, c after_misfit',
  ],
  [
    'two grids can follow each other',
    [scale('a'), scale('b', row), scale('c'), scale('d', row)],
    '[a+b] [c+d]',
  ],
]

describe('the grids of a page', () => {
  for (const [rule, items, grouping, misfits = ''] of cases)
    test(rule, () => {
      assert.equal(inWords(items), grouping)
      const found = findMisfits(items).map(({ question, reason }) => `${question.id} ${reason}`)
      assert.equal(found.join(', '), misfits)
    })

  test('forty rows are one grid', () => {
    const rows = Array.from({ length: 40 }, (_, rank) => scale(`r${rank}`, rank === 0 ? {} : row))
    assert.deepEqual(
      groupGrids(rows).map((group) => itemsOfGroup(group).length),
      [40],
    )
  })

  test('a misfit names the first row of the grid that it should continue', () => {
    const [misfit] = findMisfits([
      scale('a'),
      scale('b', row),
      scale('c', { ...row, scale_min: 0 }),
    ])
    assert.equal(misfit?.first_row?.id, 'a')
  })

  test('each item is in one group, in order, in drafts and in snapshots', () => {
    const isWhole = (items: readonly Item[]): boolean => {
      const grouped = groupGrids(items).flatMap(itemsOfGroup)
      return (
        grouped.map((item) => placeOf(item).id).join() ===
        items.map((item) => placeOf(item).id).join()
      )
    }
    fc.assert(
      fc.property(drafts, (draft) => {
        assert.ok(isWhole(itemsInOrder(draft)))
        const snapshot = takeSnapshot(draft)
        for (const { items } of groupIntoPages(snapshot)) {
          const rows = groupGrids(items).flatMap(itemsOfGroup)
          assert.deepEqual(rows, items)
        }
      }),
    )
  })

  test('the rows of a grid have one type and equal columns, and all but the first are marked', () => {
    const rows = fc.array(
      fc.record({
        type: fc.constantFrom('scale' as const, 'multiple_choice' as const),
        scale_max: fc.constantFrom(5 as const, 10 as const),
        continues_grid: fc.boolean(),
        has_other: fc.boolean(),
        text: fc.constantFrom('Oui', 'Oui '),
      }),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(rows, (list) => {
        const items = list.map(({ text, ...more }, rank) =>
          asItem(questionOf(`q${rank}`, { ...more, answers: [answerOf(`a${rank}`, { text })] })),
        )
        for (const group of groupGrids(items)) {
          if (group.kind !== 'grid') continue
          const [first, ...others] = group.rows
          for (const other of others) {
            assert.equal(other.continues_grid, true)
            assert.equal(other.type, first?.type)
            if (other.type === 'scale') assert.equal(other.scale_max, first?.scale_max)
            else assert.equal(other.answers[0]?.text, first?.answers[0]?.text)
          }
        }
      }),
    )
  })
})
