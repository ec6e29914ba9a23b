import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quizzesInFolder, readShownFolder, sortFolders, WITHOUT_FOLDER } from './folder-filter.ts'

const summer = { id: 'summer', name: 'Été' }
const winter = { id: 'winter', name: 'Hiver' }
const quizzes = [
  { id: 'a', folder_id: 'summer' },
  { id: 'b', folder_id: null },
  { id: 'c', folder_id: 'summer' },
]

test('the address names a folder, no folder or all quizzes', () => {
  const shownBy = (search: string) => readShownFolder(new URLSearchParams(search), [summer, winter])
  assert.equal(shownBy(''), null)
  assert.equal(shownBy('dossier=winter'), winter)
  assert.equal(shownBy('dossier=aucun'), WITHOUT_FOLDER)
  assert.equal(shownBy('dossier=deleted'), null)
  assert.equal(readShownFolder(new URLSearchParams('dossier=aucun'), []), null)
})

test('the quizzes of a folder keep their order', () => {
  const idsIn = (shown: Parameters<typeof quizzesInFolder>[1]) =>
    quizzesInFolder(quizzes, shown).map(({ id }) => id)
  assert.deepEqual(idsIn(null), ['a', 'b', 'c'])
  assert.deepEqual(idsIn(summer), ['a', 'c'])
  assert.deepEqual(idsIn(winter), [])
  assert.deepEqual(idsIn(WITHOUT_FOLDER), ['b'])
})

test('folders are sorted by name without regard to accents, and numbers by value', () => {
  const folders = ['Zèbre', 'Client 10', 'été', 'Client 9'].map((name) => ({ id: name, name }))
  assert.deepEqual(
    sortFolders(folders).map(({ name }) => name),
    ['Client 9', 'Client 10', 'été', 'Zèbre'],
  )
})
