import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { api } from '#contract/api.ts'
import { LARGEST_INTEGER } from '#contract/taking.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { parseBody } from '#server/http/body.ts'
import { parseShape } from '#server/http/mount.ts'
import { readPlainSubmission } from './plain-submission.ts'

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const byContract = (bytes: Buffer) => parseShape(api.taking.submit.body, parseBody(bytes))
const [question, other] = [randomUUID(), randomUUID()]

describe('a submission as players send it is read at once, as the contract reads it', () => {
  const answers = { [question]: other }
  const full = {
    answers,
    email: 'a@b.fr',
    participant_uuid: randomUUID(),
    version: 1,
    consent_version: 0,
    elapsed_seconds: 12,
    is_trapped: false,
  }
  const nothing = { answers, email: null, version: null, consent_version: null }
  const most = {
    answers: { [question]: 'a'.repeat(LIMITS.typed_answer) },
    email: 'a'.repeat(LIMITS.email),
    version: LARGEST_INTEGER,
    elapsed_seconds: LARGEST_INTEGER,
  }
  const cases: [string, object][] = [
    ['with everything', full],
    ['with nothing but answers', { answers }],
    ['without answers', { answers: {} }],
    ['with nulls', { ...nothing, elapsed_seconds: null }],
    ['in letters of every kind', { answers: { [question]: 'Où ? « À Brno » 🎉 Brno' } }],
    ['as large as may be', most],
  ]
  for (const [what, body] of cases)
    test(what, () => {
      const read = readPlainSubmission(bytesOf(body))
      assert.ok(read)
      assert.deepEqual(read, byContract(bytesOf(body)))
    })
})

describe('anything else is left to the contract', () => {
  const texts: [string, string][] = [
    ['nothing', ''],
    ['no JSON', '{"answers":'],
    ['a text', '"answers"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no answers', '{}'],
    ['answers that are a list', '{"answers":[]}'],
    ['answers that are none', '{"answers":null}'],
    ['an answer that is no text', `{"answers":{"${question}":1}}`],
    ['an answer that is an object', `{"answers":{"${question}":{"a":"b"}}}`],
    ['a question that is no UUID', '{"answers":{"zut":"a"}}'],
    ['a question in capitals', `{"answers":{"${question.toUpperCase()}":"a"}}`],
    ['a key that is more than a field', '{"answers":{"__proto__":"a"}}'],
    ['another one', '{"__proto__":{},"answers":{}}'],
    ['a field that nobody knows', '{"answers":{},"zut":1}'],
    ['a field that every object has', '{"answers":{},"toString":1}'],
    ['an escape', `{"answers":{"${question}":"a\\u0000"}}`],
    ['half a letter', `{"answers":{"${question}":"\\ud800"}}`],
    ['too long an answer', `{"answers":{"${question}":"${'a'.repeat(LIMITS.typed_answer + 1)}"}}`],
    ['too long an address', `{"answers":{},"email":"${'a'.repeat(LIMITS.email + 1)}"}`],
    ['a participant in capitals', `{"answers":{},"participant_uuid":"${question.toUpperCase()}"}`],
    ['a participant that is null', '{"answers":{},"participant_uuid":null}'],
    ['version 0', '{"answers":{},"version":0}'],
    ['half a version', '{"answers":{},"version":1.5}'],
    ['a version that is too large', `{"answers":{},"version":${LARGEST_INTEGER + 1}}`],
    ['a version as text', '{"answers":{},"version":"1"}'],
    ['seconds below nothing', '{"answers":{},"elapsed_seconds":-1}'],
    ['a trap that is a number', '{"answers":{},"is_trapped":1}'],
    ['a list under a name said twice', '{"email":[1],"email":null,"answers":{}}'],
    ['too deep under a name said twice', '{"email":{"a":{}},"email":null,"answers":{}}'],
    ['a brace within an answer', `{"answers":{"${question}":"{"}}`],
    ['a mark of byte order', '\ufeff{"answers":{}}'],
  ]
  for (const [what, text] of texts)
    test(what, () => assert.equal(readPlainSubmission(Buffer.from(text)), undefined))

  test('bytes that are no UTF-8', () => {
    const whole = bytesOf({ answers: { [question]: 'é' } })
    const cut = Buffer.from(whole.toString('latin1').replace('\u00a9', ''), 'latin1')
    assert.equal(readPlainSubmission(cut), undefined)
  })
})

test('whatever is read at once, the contract reads in the same way', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.uuid(), fc.string({ unit: 'grapheme' }))
  const whole = fc.oneof(fc.integer(), fc.nat(), fc.constant(null), odd)
  const id = fc.oneof({ weight: 9, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.string() })
  const reply = fc.oneof({ weight: 9, arbitrary: fc.string({ unit: 'grapheme' }) }, odd)
  const body = fc.record(
    {
      answers: fc.oneof(fc.dictionary(id, reply, { maxKeys: 4 }), odd),
      email: fc.oneof(fc.emailAddress(), fc.constant(null), odd),
      participant_uuid: fc.oneof(fc.uuid(), odd),
      version: whole,
      consent_version: whole,
      elapsed_seconds: whole,
      is_trapped: fc.oneof(fc.boolean(), odd),
    },
    { requiredKeys: ['answers'] },
  )
  let nb_plain = 0
  fc.assert(
    fc.property(body, (value) => {
      const read = readPlainSubmission(bytesOf(value))
      if (read === undefined) return
      nb_plain++
      assert.deepEqual(read, byContract(bytesOf(value)))
    }),
    { numRuns: 3_000 },
  )
  assert.ok(nb_plain > 20, `${nb_plain} of 3,000`)
})
