import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Question, Result } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import type { AnsweredVersion } from './asked-questions.ts'
import {
  type CrosstabCount,
  crosstabOf,
  crosstabSideOf,
  NO_RESULT_POSITION,
  RESULTS_VARIABLE,
} from './crosstab.ts'

const choice = (id: string, answers: Record<string, string>, more: Partial<Question> = {}) =>
  questionOf(id, {
    type: 'multiple_choice',
    text: `${id} ?`,
    ...more,
    answers: Object.entries(answers).map(([id, text], position) =>
      answerOf(id, { text, position }),
    ),
  })
const versionOf = (
  version: number,
  questions: Question[],
  results: Result[] = [],
): AnsweredVersion => ({
  version,
  nb_responses: 1,
  snapshot: takeSnapshot(draftOf({ questions, results })),
})

const OLD = versionOf(
  1,
  [choice('q', { a: 'Un', b: 'Deux' }), questionOf('open', { type: 'text' })],
  [resultOf('low', { name: 'Bas' }), resultOf('high', { name: 'Haut', priority_order: 1 })],
)
const NEW = versionOf(
  2,
  [
    questionOf('scale', { type: 'scale', scale_min: 1, scale_max: 5 }),
    choice(
      'q',
      { c: 'Trois', a: 'Premier' },
      { has_other: true, max_choices: 2, global_position: 1 },
    ),
  ],
  [resultOf('high', { name: 'En haut' })],
)

test('a side of a crosstab has each answer once, with its newest text and its number in each version', () => {
  const side = crosstabSideOf([OLD, NEW], 'q')
  assert.deepEqual(side?.items, [
    { id: 'c', text: 'Trois' },
    { id: 'a', text: 'Premier' },
    { id: 'q:other', text: 'Autre' },
    { id: 'b', text: 'Deux' },
  ])
  assert.deepEqual([side.question_id, side.text, side.takes_several], ['q', 'q ?', true])
  assert.deepEqual(
    side.places.map(({ indexes, ...place }) => ({ ...place, indexes: [...indexes] })),
    [
      {
        version: 2,
        first_slot: 2,
        last_slot: 3,
        dimension_rank: null,
        indexes: [
          [0, 0],
          [1, 1],
          [2, 2],
        ],
      },
      {
        version: 1,
        first_slot: 1,
        last_slot: 1,
        dimension_rank: null,
        indexes: [
          [0, 1],
          [1, 3],
        ],
      },
    ],
  )
  const results = crosstabSideOf([OLD, NEW], RESULTS_VARIABLE)
  assert.deepEqual(
    results?.items.map(({ text }) => text),
    ['En haut', 'Bas', 'Sans résultat'],
  )
  assert.equal(crosstabSideOf([OLD, NEW], 'open'), undefined)
  assert.equal(crosstabSideOf([OLD, NEW], 'nowhere'), undefined)
  assert.deepEqual(crosstabSideOf([versionOf(1, [])], RESULTS_VARIABLE)?.items, [])
})

test('versions are added up by the ids of results and answers, and « Sans résultat » appears only if it has participants', () => {
  const [rows, columns] = [
    crosstabSideOf([OLD, NEW], RESULTS_VARIABLE),
    crosstabSideOf([OLD, NEW], 'q'),
  ]
  assert.ok(rows && columns)
  const count = (version: number, row: number | null, column: number | null, count: number) => ({
    version,
    row_number: row,
    column_number: column,
    count,
  })
  const counts = [
    ...[count(1, null, null, 3), count(1, 1, null, 3), count(1, null, 0, 3), count(1, 1, 0, 3)],
    ...[count(2, null, null, 2), count(2, 0, null, 2), count(2, null, 1, 2), count(2, 0, 1, 2)],
  ]
  const table = crosstabOf(rows, columns, counts)
  assert.deepEqual(
    table.rows.items.map(({ text, count }) => [text, count]),
    [
      ['En haut', 5],
      ['Bas', 0],
    ],
  )
  assert.deepEqual(table.cells, [
    [0, 5, 0, 0],
    [0, 0, 0, 0],
  ])
  assert.equal(table.nb_participants, 5)
  const none = [count(1, null, null, 1), count(1, NO_RESULT_POSITION, null, 1)]
  const with_none = crosstabOf(rows, columns, [...counts, ...none])
  assert.deepEqual(with_none.rows.items.at(-1), { id: null, text: 'Sans résultat', count: 1 })
  assert.equal(with_none.cells.length, 3)
})

test('exchanging the sides of a crosstab transposes the cells, for any counts', () => {
  const [rows, columns] = [crosstabSideOf([OLD, NEW], 'q'), crosstabSideOf([OLD, NEW], 'scale')]
  assert.ok(rows && columns)
  const number = fc.option(fc.integer({ min: 0, max: 5 }))
  const counts: fc.Arbitrary<CrosstabCount[]> = fc.array(
    fc.record({
      version: fc.constantFrom(1, 2),
      row_number: number,
      column_number: number,
      count: fc.nat(9),
    }),
  )
  fc.assert(
    fc.property(counts, (counted) => {
      const table = crosstabOf(rows, columns, counted)
      const turned = crosstabOf(
        columns,
        rows,
        counted.map(({ row_number, column_number, ...count }) => ({
          ...count,
          row_number: column_number,
          column_number: row_number,
        })),
      )
      assert.deepEqual([turned.rows, turned.columns], [table.columns, table.rows])
      assert.deepEqual(
        turned.cells.map((line) => [...line]),
        table.columns.items.map((_, at) => table.cells.map((line) => line[at])),
      )
    }),
  )
})
