import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryReason } from './delivery-labels.ts'
import { erasureMessage } from './erasures.ts'

const PROMISE = /sera refait|reprendra|pour le moment/

test('a waiting delivery announces another attempt, and a failed delivery does not', () => {
  for (const code of ['internal', 'mails_of_today', 'smtp', 'smtp_421']) {
    assert.match(deliveryReason('pending', code) ?? '', PROMISE, code)
    const given_up = deliveryReason('refused', code) ?? ''
    assert.notEqual(given_up, '', code)
    assert.doesNotMatch(given_up, PROMISE, code)
  }
  assert.match(erasureMessage({ status: 'pending', kind: 'delete' }, 'internal') ?? '', PROMISE)
  assert.match(
    erasureMessage({ status: 'refused', kind: 'delete' }, 'internal') ?? '',
    /vous pouvez réessayer/,
  )
})

test('an unexpected answer is a reason only for refused deliveries', () => {
  assert.equal(deliveryReason('pending', 'teapot'), null)
  assert.equal(deliveryReason('refused', 'teapot'), 'L’outil a donné une réponse inattendue.')
  assert.equal(deliveryReason('pending', 'http_502'), 'L’outil est en panne.')
  assert.equal(deliveryReason('delivered', null), null)
})

test('a delivery without some of its fields names them in French', () => {
  const said = (...fields: string[]) =>
    deliveryReason('delivered', 'field_refused', { labels: [], fields })
  assert.equal(
    said('Téléphone'),
    'Envoyé sans le champ « Téléphone » : l’outil n’a pas ce champ ou refuse sa valeur.',
  )
  assert.match(said('Prénom', 'Budget') ?? '', /^Envoyé sans les champs « Prénom », « Budget » :/)
  assert.match(deliveryReason('refused', 'result_field_refused') ?? '', /champ du résultat/)
})

test('an erasure without an answer must be done in the tool, or at the owner of the webhook', () => {
  const said = (kind: 'delete' | 'unsubscribe' | 'event') =>
    erasureMessage({ status: 'refused', kind }, 'expired') ?? ''
  for (const kind of ['delete', 'unsubscribe'] as const) assert.match(said(kind), /dans l’outil/)
  assert.doesNotMatch(said('event'), /service/)
  assert.match(said('event'), /^L’adresse n’a pas pu être prévenue pendant trente jours/)
})
