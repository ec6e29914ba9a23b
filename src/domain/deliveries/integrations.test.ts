import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldNameOf, isAttributeName, readFieldName, tagsByDefault } from './integrations.ts'

test('the field of a quiz is the chosen field, or the default', () => {
  const quiz = { kit_custom_field: null, brevo_attribute_name: 'PROFIL' }
  assert.equal(fieldNameOf('convertkit', quiz), 'Résultat quiz')
  assert.equal(fieldNameOf('brevo', quiz), 'PROFIL')
  assert.equal(fieldNameOf('systemio', quiz), 'Résultat quiz')
  assert.deepEqual((['convertkit', 'systemio', 'brevo'] as const).map(tagsByDefault), [
    false,
    true,
    false,
  ])
})

test('a field name is accepted if its tool accepts it', () => {
  assert.equal(readFieldName('convertkit', '  Mon résultat '), 'Mon résultat')
  assert.equal(readFieldName('convertkit', '   '), undefined)
  assert.equal(readFieldName('convertkit', 'x'.repeat(101)), undefined)
  assert.equal(readFieldName('brevo', ' mon_resultat '), 'MON_RESULTAT')
  for (const refused of ['', 'MON RÉSULTAT', 'A-B', '1ER', 'A'.repeat(51)])
    assert.equal(readFieldName('brevo', refused), undefined, refused)
  assert.ok(!isAttributeName('minuscules'))
})
