import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { readFieldName } from './integrations.ts'
import { newFieldName } from './new-field-name.ts'

const CASES: [provider: ProviderName, text: string, used: string[], name: string][] = [
  ['convertkit', '  Votre   budget ? ', [], 'Votre budget ?'],
  ['systemio', 'Score total', [], 'Score total'],
  ['brevo', 'Votre budget ?', [], 'VOTRE_BUDGET'],
  ['brevo', 'Cœur d’été', [], 'COEUR_D_ETE'],
  ['brevo', '3 mots', [], 'Q_3_MOTS'],
  ['brevo', '🎉', [], 'REPONSE'],
  ['convertkit', '🎉', [], '🎉'],
  ['convertkit', ' ', [], 'Réponse'],
  ['convertkit', 'Budget', ['budget'], 'Budget 2'],
  ['brevo', 'Budget', ['BUDGET', 'budget_2'], 'BUDGET_3'],
  ['brevo', 'Prénom', [], 'PRENOM_2'],
  ['systemio', 'Country', [], 'Country'],
  ['systemio', 'country', [], 'country 2'],
  ['brevo', 'a'.repeat(80), ['A'.repeat(50)], `${'A'.repeat(48)}_2`],
  ['convertkit', 'é'.repeat(150), [], 'é'.repeat(100)],
]

for (const [provider, text, used, name] of CASES)
  test(`a field for « ${text.slice(0, 20)} » at ${provider} with ${used.length} fields in use is named ${name.slice(0, 20)}`, () => {
    assert.equal(newFieldName(provider, text, used), name)
  })

test('the tool accepts the name of each new field, and no two fields of one text share a name', () => {
  for (const provider of ['convertkit', 'systemio', 'brevo'] as const)
    for (const text of [
      '',
      '=1+1',
      '٣',
      '__',
      '2026',
      'ŒUVRE',
      'x'.repeat(1_000),
      '👩‍👩‍👧'.repeat(30),
    ]) {
      const names: string[] = []
      for (let turn = 0; turn < 25; turn++) names.push(newFieldName(provider, text, names))
      assert.equal(new Set(names.map((name) => name.toLowerCase())).size, 25)
      for (const name of names) assert.equal(readFieldName(provider, name), name)
    }
})
