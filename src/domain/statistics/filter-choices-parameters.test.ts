import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeQuery } from '#domain/questionnaire/parameters.ts'
import { filteredParameters, isParameterFilter } from './filter-choices.ts'

const FILTERS: [query: string, isFilter: boolean][] = [
  ['', true],
  ['utm_source=lettre', true],
  ['utm_source=', true],
  ['ref=a%26b%3Dc&utm_term=%C3%A9', true],
  ['a=1&b=2&c=3&d=4&e=5', true],
  ['a=1&b=2&c=3&d=4&e=5&f=6', false],
  ['Ref=a', false],
  ['=a', false],
  ['__proto__=a', false],
  [`ref=${'x'.repeat(200)}`, true],
  [`ref=${'x'.repeat(201)}`, false],
  ['ref=%00', false],
  ['ref=a%00b', false],
]
for (const [query, isFilter] of FILTERS)
  test(`the query « ${query.slice(0, 40)} » is ${isFilter ? 'a' : 'not a'} filter`, () =>
    assert.equal(isParameterFilter(query), isFilter))

test('a filter has each parameter once, in sorted order', () => {
  assert.deepEqual(filteredParameters('b=1&a=2&b=3'), [
    ['a', '2'],
    ['b', '3'],
  ])
  assert.deepEqual(filteredParameters(writeQuery([['ref', 'a&b=c d']])), [['ref', 'a&b=c d']])
  assert.deepEqual(filteredParameters(undefined), [])
})
