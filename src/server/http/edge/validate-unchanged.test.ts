import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { text, uuid } from '#contract/kit/fields.ts'
import { publicQuiz } from '#contract/public-quiz.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { isUnchangedByParse } from './validation.ts'

const ID = '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
const CAPITALS = ID.toUpperCase()

/** Returns the result of the unchanged check, and asserts that parsing agrees if it is true. */
const check = (shape: z.ZodType, value: unknown): boolean => {
  const fits = isUnchangedByParse(shape)(value)
  if (fits) assert.deepEqual(shape.parse(value), value)
  return fits
}

describe('the check that parsing leaves a value unchanged', () => {
  const several = z.union([text(3), z.array(text(3)).max(2)])
  const cases: [string, z.ZodType, unknown, boolean][] = [
    ['text', text(3), 'abc', true],
    ['too long a text', text(3), 'abcd', false],
    ['characters of two code units, which only parsing counts', text(3), '😀😀', false],
    ['text that cannot be stored', text(3), 'a\0', false],
    ['text that parsing trims', z.string().trim(), ' a', false],
    ['a number as text', text(3), 1, false],
    ['an id', uuid, ID, true],
    ['an id in capitals, which parsing converts to lower case', uuid, CAPITALS, false],
    ['an integer', z.int().min(1).max(9), 9, true],
    ['too large an integer', z.int().min(1).max(9), 10, false],
    ['too small an integer', z.int().min(1).max(9), 0, false],
    ['a fraction as an integer', z.int(), 1.5, false],
    ['NaN as a number', z.number(), Number.NaN, false],
    ['one of several kinds', several, ['abc'], true],
    ['too many entries', several, ['a', 'b', 'c'], false],
    ['a union that only parsing can decide', z.union([text(3), uuid]), ID, false],
    ['a record', z.record(uuid, several), { [ID]: 'a' }, true],
    [
      'a key that parsing drops',
      z.record(text(9), several),
      JSON.parse('{"__proto__":"a"}'),
      false,
    ],
    ['a record with another key', z.record(uuid, several), { [CAPITALS]: 'a' }, false],
    ['an object', z.object({ a: text(3), b: text(3).nullish() }), { a: '' }, true],
    ['an object with null', z.object({ b: text(3).nullish() }), { b: null }, true],
    ['an object that lacks a field', z.object({ a: text(3) }), {}, false],
    ['an inherited field', z.object({ a: text(3) }), Object.create({ a: '' }), false],
    ['a field that parsing drops', z.object({ a: text(3) }), { a: '', b: 1 }, false],
    ['a list as an object', z.object({ b: text(3).optional() }), [], false],
    ['a default, which parsing fills in', z.object({ a: text(3).default('') }), {}, false],
    ['an unsupported shape', z.iso.datetime(), '2026-01-01T00:00:00Z', false],
    ['a refinement of the whole object', z.object({}).refine(() => false), {}, false],
  ]
  for (const [what, shape, value, expected] of cases)
    test(`the unchanged check returns ${expected} for ${what}`, () =>
      assert.equal(check(shape, value), expected))

  test('a submission in the format of the player passes the unchanged check', () => {
    const body = { answers: { [ID]: 'x' }, email: 'a@b.fr', participant_uuid: ID, version: 1 }
    assert.ok(check(publicQuiz.submit.body, body))
  })
})

describe('values that pass the unchanged check', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(ID, CAPITALS, null, 0, 1, -1, 1.5, true, '', [], {}),
    fc.jsonValue(),
  )
  test('parsing leaves a submission unchanged if it passes the check', () => {
    const answers = fc.dictionary(fc.oneof(fc.uuid(), fc.constant(CAPITALS), fc.string()), value, {
      noNullPrototype: true,
    })
    const body = fc.record(
      {
        answers: fc.oneof(
          answers,
          fc.dictionary(fc.uuid(), fc.string(), { noNullPrototype: true }),
          value,
        ),
        email: value,
        participant_uuid: fc.oneof(fc.uuid(), value),
        version: value,
        is_trapped: value,
        elapsed_seconds: value,
        stranger: value,
      },
      // JSON has no object without a prototype.
      { requiredKeys: [], noNullPrototype: true },
    )
    fc.assert(
      fc.property(body, (submission) => {
        check(publicQuiz.submit.body, submission)
      }),
    )
  })

  test('parsing leaves bodies of every call, and variants with one other value, unchanged if they pass the check', () => {
    const ready = {
      id: ID,
      question_id: ID,
      open_id: ID,
      answer_ids: [ID, ID],
      result_ids: [ID, ID],
    }
    const bodies = validBodies(ready as Parameters<typeof validBodies>[0])
    for (const [name, { body: shape }] of contractCalls) {
      if (!shape || !bodies[name]) continue
      const text = JSON.stringify(bodies[name])
      check(shape, JSON.parse(text))
      const places = placesIn(JSON.parse(text))
      fc.assert(
        fc.property(fc.constantFrom(...places), value, (place, other) => {
          check(shape, replaced(JSON.parse(text), place, other))
        }),
        { numRuns: countCases(50) },
      )
    }
  })
})

/** Returns the paths of all values within a value. */
const placesIn = (value: unknown, at: string[] = []): string[][] => [
  at,
  ...(typeof value === 'object' && value !== null ? Object.entries(value) : []).flatMap(
    ([key, member]) => placesIn(member, [...at, key]),
  ),
]

const replaced = (value: unknown, [key, ...rest]: string[], other: unknown): unknown => {
  if (key === undefined) return other
  const holder = value as Record<string, unknown>
  holder[key] = replaced(holder[key], rest, other)
  return holder
}
