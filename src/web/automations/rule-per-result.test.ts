import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { missingRules } from './rule-per-result.ts'

const results = [
  { id: 'a', name: 'Pas à pas' },
  { id: 'b', name: 'Grand saut' },
]
const draft = { quiz: { name: 'Quel rythme ?' }, results }

describe('one rule for each result', () => {
  test('each result gets a label with the names of the quiz and of the result', () => {
    assert.deepEqual(missingRules(draft, [], 'brevo'), [
      { result_id: 'a', label_name: 'Quel rythme ? – Pas à pas' },
      { result_id: 'b', label_name: 'Quel rythme ? – Grand saut' },
    ])
  })

  test('a result that has a rule of this tool gets no second one', () => {
    const rules = [
      { provider: 'brevo', result_id: 'a', label_kind: null },
      { provider: 'systemio', result_id: 'b', label_kind: null },
      { provider: 'systemio', result_id: 'a', label_kind: 'course' },
    ] as const
    const missing = (provider: 'brevo' | 'systemio') =>
      missingRules(draft, rules, provider).map(({ result_id }) => result_id)
    assert.deepEqual(missing('brevo'), ['b'])
    assert.deepEqual(missing('systemio'), ['a'])
  })

  test('long names fit into a label, and different results keep different names', () => {
    const long = 'x'.repeat(300)
    const names = missingRules(
      { quiz: { name: long }, results: [...results, { id: 'c', name: long }] },
      [],
      'brevo',
    ).map(({ label_name }) => label_name)
    assert.ok(names.every((name) => name.length <= LIMITS.label_name))
    assert.equal(new Set(names).size, 3)
    assert.match(names[0] ?? '', /– Pas à pas$/)
  })
})
