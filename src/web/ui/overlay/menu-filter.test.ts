import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterAfterKey, filterGroups } from './menu-filter.ts'

const GROUPS = [
  {
    label: 'Questions',
    items: ['Texte court', 'Texte long', 'Email', 'Téléphone', 'Échelle', 'Date'].map((label) => ({
      label,
    })),
  },
  { label: 'Contenu', items: [{ label: 'Bloc de texte' }, { label: 'Nouvelle page' }] },
]

const found = (filter: string): string[] =>
  filterGroups(GROUPS, filter).flatMap(({ items }) => items.map(({ label }) => label))

const key = (key: string, modifiers = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...modifiers,
})

for (const [filter, labels] of [
  ['', GROUPS.flatMap(({ items }) => items.map(({ label }) => label))],
  ['ech', ['Échelle']],
  ['ÉCH', ['Échelle']],
  ['texte l', ['Texte long']],
  ['texte ', ['Texte court', 'Texte long', 'Bloc de texte']],
  ['te', ['Texte court', 'Texte long', 'Téléphone', 'Bloc de texte']],
  ['page', ['Nouvelle page']],
  ['mail', ['Email']],
  ['xyz', []],
] as const)
  test(`« ${filter} » finds ${labels.length} entries of a menu`, () => {
    assert.deepEqual(found(filter), labels)
  })

test('a group without a found entry is left out', () => {
  assert.deepEqual(
    filterGroups(GROUPS, 'ech').map(({ label }) => label),
    ['Questions'],
  )
})

test('letters and inner spaces type, Backspace erases, and other keys do not type', () => {
  const keys = ['t', 'e', ' ', 'É', 'Backspace']
  const typed = keys.reduce((filter, name) => filterAfterKey(filter, key(name)) ?? filter, '')
  assert.equal(typed, 'te ')
  assert.equal(filterAfterKey('', key(' ')), undefined)
  assert.equal(filterAfterKey('', key('Backspace')), undefined)
  assert.equal(filterAfterKey('a😀', key('Backspace')), 'a')
  for (const name of ['Enter', 'ArrowDown', 'Dead', 'Escape', 'F1'])
    assert.equal(filterAfterKey('te', key(name)), undefined)
  assert.equal(filterAfterKey('te', key('z', { ctrlKey: true })), undefined)
})
