import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOfArrow, kindOfKey } from './quiz-kinds.ts'

const BARE = { ctrlKey: false, metaKey: false, altKey: false }

test('the key 1 chooses a quiz and the key 2 a sondage, also on the keypad', () => {
  assert.equal(kindOfKey({ ...BARE, key: '1', code: 'Digit1' })?.type, 'quiz')
  assert.equal(kindOfKey({ ...BARE, key: '2', code: 'Numpad2' })?.type, 'sondage')
  assert.equal(kindOfKey({ ...BARE, key: '3', code: 'Digit3' }), undefined)
})

test('the number keys of a French keyboard work without Shift', () => {
  assert.equal(kindOfKey({ ...BARE, key: '&', code: 'Digit1' })?.type, 'quiz')
  assert.equal(kindOfKey({ ...BARE, key: 'é', code: 'Digit2' })?.type, 'sondage')
})

test('the kind of questionnaire does not react to shortcuts of the browser', () => {
  assert.equal(kindOfKey({ ...BARE, key: '1', code: 'Digit1', ctrlKey: true }), undefined)
  assert.equal(kindOfKey({ ...BARE, key: '1', code: 'Digit1', metaKey: true }), undefined)
  assert.equal(kindOfKey({ ...BARE, key: '2', code: 'Digit2', altKey: true }), undefined)
})

test('arrow keys move between the two kinds of questionnaire', () => {
  assert.equal(kindOfArrow('ArrowDown')?.type, 'sondage')
  assert.equal(kindOfArrow('ArrowUp')?.type, 'quiz')
  assert.equal(kindOfArrow('Enter'), undefined)
})
