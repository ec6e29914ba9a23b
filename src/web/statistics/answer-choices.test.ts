import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterIds } from './answer-choices.ts'

test('a line filters by the choice with its words, the second by the second; old words by nothing', () => {
  const choices = [
    { id: 'a', text: 'Oui' },
    { id: 'b', text: 'Non' },
    { id: 'c', text: 'Oui' },
  ]
  assert.deepEqual(filterIds(['Oui', 'Oui', 'Peut-être', 'Non', 'Oui'], choices), [
    'a',
    'c',
    undefined,
    'b',
    undefined,
  ])
  assert.deepEqual(choices.length, 3)
})
