import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherField, repliesOf } from './replies.ts'

test('a field is a text, and a repeated field is a list without its blank values', () => {
  assert.deepEqual(repliesOf([]), {})
  assert.deepEqual(
    repliesOf([
      ['a', 'un'],
      ['b', ''],
      ['b', 'x'],
      ['c', ''],
      ['c', 'x'],
      ['c', 'y'],
      ['d', ''],
    ]),
    { a: 'un', b: 'x', c: ['x', 'y'], d: '' },
  )
})

test('a chosen « Autre… » takes the text beside it, and the text is ignored if « Autre… » was not chosen', () => {
  const field = otherField('q')
  const choose = (...values: string[]) =>
    repliesOf([...values.map((value): [string, string] => ['q', value]), [field, 'un kayak']])
  assert.deepEqual(choose('other:'), { q: 'other:un kayak' })
  assert.deepEqual(choose('', 'a', 'other:'), { q: ['a', 'other:un kayak'] })
  assert.deepEqual(choose('a'), { q: 'a' })
  assert.deepEqual(repliesOf([['q', 'other:']]), { q: 'other:' })
  // Value of a hidden field from an earlier page.
  assert.deepEqual(repliesOf([['q', 'other:un kayak']]), { q: 'other:un kayak' })
})

test('property names of every object can be names of fields', () => {
  const replies = repliesOf([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ])
  assert.deepEqual(Object.entries(replies), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ])
})
