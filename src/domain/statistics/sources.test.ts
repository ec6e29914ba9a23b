import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedSources, sourcesOf } from './sources.ts'

const count = (name: string, value: string, count: number) => ({ name, value, count })

test('the values of a parameter are sorted by frequency, and UTM parameters come before declared parameters', () => {
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
        name: 'utm_source',
        nb_participants: 7,
        nb_others: 3,
        values: [{ value: 'lettre', count: 4 }],
      },
      {
        name: 'utm_medium',
        nb_participants: 9,
        nb_others: 0,
        values: [{ value: 'mail', count: 9 }],
      },
      {
        name: 'ref',
        nb_participants: 2,
        nb_others: 0,
        values: [
          { value: 'a', count: 1 },
          { value: 'b', count: 1 },
        ],
      },
    ],
  )
})

test('at most twenty values of a parameter are listed, and all values add up', () => {
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
          const listed = values.reduce((sum, value) => sum + value.count, 0)
          assert.equal(listed + nb_others, nb_participants)
          const own = given.filter((parameter) => parameter.name === name)
          assert.equal(
            own.reduce((sum, parameter) => sum + parameter.count, 0),
            nb_participants,
          )
        }
    }),
  )
})
