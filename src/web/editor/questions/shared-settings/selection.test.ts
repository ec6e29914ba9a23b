import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowAfterSelection, type Selection, type SelectionAction, selectRows } from './selection.ts'

const ROWS = ['a', 'b', 'c', 'd', 'e']
const none: Selection = { ids: new Set(), current: 'b', anchor: null }
const after = (...actions: SelectionAction[]): Selection =>
  actions.reduce((selection, action) => selectRows(selection, action, ROWS), none)
const idsAfter = (...actions: SelectionAction[]): string =>
  ROWS.filter((id) => after(...actions).ids.has(id)).join('')

const cases: [name: string, actions: SelectionAction[], ids: string][] = [
  ['moving selects nothing', [{ type: 'moved', id: 'c' }], ''],
  ['a toggled row is selected', [{ type: 'toggled', id: 'c' }], 'c'],
  [
    'a row that is toggled twice is not selected',
    [
      { type: 'toggled', id: 'c' },
      { type: 'toggled', id: 'c' },
    ],
    '',
  ],
  ['a range begins at the focus', [{ type: 'extended', id: 'd' }], 'bcd'],
  ['a range may go up', [{ type: 'extended', id: 'a' }], 'ab'],
  [
    'a range becomes shorter again',
    [
      { type: 'extended', id: 'e' },
      { type: 'extended', id: 'c' },
    ],
    'bc',
  ],
  [
    'a range turns around its first row',
    [
      { type: 'extended', id: 'd' },
      { type: 'extended', id: 'a' },
    ],
    'ab',
  ],
  [
    'a second range keeps the first',
    [
      { type: 'extended', id: 'c' },
      { type: 'moved', id: 'e' },
      { type: 'extended', id: 'e' },
    ],
    'bce',
  ],
  ['all rows are selected', [{ type: 'all_toggled' }], 'abcde'],
  ['all rows are deselected', [{ type: 'all_toggled' }, { type: 'all_toggled' }], ''],
]
for (const [name, actions, ids] of cases)
  test(name, () => {
    assert.equal(idsAfter(...actions), ids)
  })

test('the next group begins after the last selected row, and at the first row after the end', () => {
  assert.equal(rowAfterSelection(after({ type: 'extended', id: 'c' }), ROWS), 'd')
  assert.equal(rowAfterSelection(after({ type: 'extended', id: 'e' }), ROWS), 'a')
})
