import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RefusedCall } from '#contract/client.ts'
import { errorText } from './error-text.ts'

test('the sentence of the server is shown', () => {
  const refusal = new RefusedCall(503, { error: 'Service indisponible', code: 'unavailable' })
  assert.equal(errorText(refusal), 'Erreur: Service indisponible')
})

test('what the server did not say is unknown, once', () => {
  assert.equal(errorText(new RefusedCall(502, null)), 'Erreur inconnue')
  assert.equal(
    errorText(new RefusedCall(500, { error: 'Erreur inconnue', code: 'unexpected' })),
    'Erreur inconnue',
  )
  assert.equal(errorText(new TypeError('Failed to fetch')), 'Erreur inconnue')
})
