import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RefusedCall } from '#contract/client/client.ts'
import { errorText, saveErrorText } from './error-text.ts'

test('the error text is the sentence of the server', () => {
  const refusal = new RefusedCall(503, { error: 'Service indisponible', code: 'unavailable' })
  assert.equal(errorText(refusal), 'Erreur: Service indisponible')
})

test('an error without a sentence of the server is unknown, and the alert says so once', () => {
  assert.equal(errorText(new RefusedCall(502, null)), 'Erreur inconnue')
  assert.equal(
    errorText(new RefusedCall(500, { error: 'Erreur inconnue', code: 'unexpected' })),
    'Erreur inconnue',
  )
  assert.equal(errorText(new TypeError('Failed to fetch')), 'Erreur inconnue')
})

test('the message about a failed save always names a reason, even without a network', () => {
  const conflict = new RefusedCall(409, { error: 'Le quiz a changé', code: 'stale' })
  assert.equal(saveErrorText(conflict), 'Erreur: Le quiz a changé')
  for (const error of [new TypeError('Failed to fetch'), new RefusedCall(502, null)])
    assert.match(saveErrorText(error), /^Erreur: Le serveur n’a pas pu /)
})
