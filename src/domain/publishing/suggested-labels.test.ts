import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestLabel } from './suggested-labels.ts'

for (const [text, type, label] of [
  ['Quel est votre prénom ?', 'text', 'prénom'],
  ['Votre prénom', 'text', 'prénom'],
  ['Comment vous appelez-vous ?', 'text', 'réponse'],
  ['Où vous écrire ?', 'email', 'email'],
  ['Votre numéro ?', 'phone', 'téléphone'],
  ['Quelle est la ville de votre entreprise ?', 'text', 'ville entreprise'],
  ["Quel est l'objectif ?", 'textarea', 'objectif'],
  ['Quel est l’objectif ?', 'textarea', 'objectif'],
  ['{{prénom}}, votre agenda ?', 'multiple_choice', 'prénom agenda'],
  ['Quel est votre score ?', 'number', 'score 2'],
  ['', 'date', 'réponse'],
  [
    'Anticonstitutionnellement-anticonstitutionnellement ?',
    'text',
    'anticonstitutionnellement-anti',
  ],
] as const)
  test(`« ${text} » gets the short name « ${label} »`, () => {
    assert.equal(suggestLabel({ text, type }, []), label)
  })

test('a suggested short name differs from the others, also in case', () => {
  const question = { text: 'Quel est votre prénom ?', type: 'text' } as const
  assert.equal(suggestLabel(question, ['Prénom']), 'prénom 2')
  assert.equal(suggestLabel(question, ['Prénom', 'prénom 2']), 'prénom 3')
})
