import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchQuizzes, shortcutOf } from './quiz-search.ts'

const QUIZZES = ['Quel rythme ?', 'L’été à la mer', 'Votre cœur de métier', 'ÉTÉ indien'].map(
  (name) => ({ name }),
)
const found = (searched: string): string[] =>
  searchQuizzes(QUIZZES, searched).map(({ name }) => name)

test('the search for quizzes ignores case and accents', () => {
  assert.deepEqual(found('ete'), ['L’été à la mer', 'ÉTÉ indien'])
  assert.deepEqual(found('RYTHMÉ'), ['Quel rythme ?'])
  assert.deepEqual(found('e\u0301te\u0301 i'), ['ÉTÉ indien'])
})

test('typed keyboard characters match typographic characters', () => {
  assert.deepEqual(found("l'été"), ['L’été à la mer'])
  assert.deepEqual(found('coeur'), ['Votre cœur de métier'])
  assert.deepEqual(found('rythme\u00A0?'), ['Quel rythme ?'])
})

test('a blank text finds all quizzes in order, and an unknown text finds none', () => {
  assert.deepEqual(searchQuizzes(QUIZZES, '  '), QUIZZES)
  assert.deepEqual(found('hiver'), [])
  assert.deepEqual(found('.*'), [])
})

const BARE = { ctrlKey: false, metaKey: false, altKey: false }

test('the key / starts a search and N creates a quiz, with or without capitals', () => {
  assert.equal(shortcutOf({ ...BARE, key: '/' }), 'search')
  assert.equal(shortcutOf({ ...BARE, key: 'n' }), 'create')
  assert.equal(shortcutOf({ ...BARE, key: 'N' }), 'create')
  assert.equal(shortcutOf({ ...BARE, key: 'm' }), undefined)
})

test('the dashboard shortcuts do not react to shortcuts of the browser', () => {
  assert.equal(shortcutOf({ ...BARE, key: 'n', ctrlKey: true }), undefined)
  assert.equal(shortcutOf({ ...BARE, key: 'n', metaKey: true }), undefined)
  assert.equal(shortcutOf({ ...BARE, key: '/', altKey: true }), undefined)
})
