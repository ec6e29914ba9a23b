import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeQuery } from '#domain/questionnaire/parameters.ts'
import { filteredParameters, isParameterFilter, sharedSources, sourcesOf } from './sources.ts'

const count = (name: string, value: string, count: number) => ({ name, value, count })

test('values are sorted by frequency, UTM parameters come before declared parameters', () => {
  assert.deepEqual(
    sourcesOf([
      count('ref', 'b', 1),
      count('ref', 'a', 1),
      count('utm_source', '', 3),
      count('utm_source', 'lettre', 4),
      count('utm_medium', 'mail', 9),
    ]),
    [
      {
        ...{ name: 'utm_source', nb_participants: 7, nb_others: 3 },
        values: [{ value: 'lettre', count: 4 }],
      },
      {
        ...{ name: 'utm_medium', nb_participants: 9, nb_others: 0 },
        values: [{ value: 'mail', count: 9 }],
      },
      {
        ...{ name: 'ref', nb_participants: 2, nb_others: 0 },
        values: [
          { value: 'a', count: 1 },
          { value: 'b', count: 1 },
        ],
      },
    ],
  )
})

test('at most twenty values are listed, and all values add up', () => {
  const counts = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('utm_source', 'utm_term', 'ref'),
      value: fc.string({ maxLength: 3 }),
      count: fc.integer({ min: 1, max: 50 }),
    }),
    { selector: ({ name, value }) => `${name} ${value}`, maxLength: 80 },
  )
  fc.assert(
    fc.property(counts, fc.nat(9), (given, fewest) => {
      const sources = sourcesOf(given)
      for (const list of [sources, sharedSources(sources, fewest)])
        for (const { name, nb_participants, values, nb_others } of list) {
          assert.ok(values.length <= 20)
          const listed = values.reduce((sum, one) => sum + one.count, 0)
          assert.equal(listed + nb_others, nb_participants)
          const own = given.filter((one) => one.name === name)
          assert.equal(
            own.reduce((sum, one) => sum + one.count, 0),
            nb_participants,
          )
        }
    }),
  )
})

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
  test(`« ${query.slice(0, 40)} » is ${isFilter ? 'a' : 'no'} filter`, () =>
    assert.equal(isParameterFilter(query), isFilter))

test('a filter has each parameter once, sorted', () => {
  assert.deepEqual(filteredParameters('b=1&a=2&b=3'), [
    ['a', '2'],
    ['b', '3'],
  ])
  assert.deepEqual(filteredParameters(writeQuery([['ref', 'a&b=c d']])), [['ref', 'a&b=c d']])
  assert.deepEqual(filteredParameters(undefined), [])
})
