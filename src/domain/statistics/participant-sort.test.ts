import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { DELIVERY_STATUSES } from '#domain/deliveries/delivery.ts'
import { DELIVERY_URGENCY, inNameOrder } from './participant-sort.ts'

describe('sorted names', () => {
  test('names are in French dictionary order, each once', () =>
    assert.deepEqual(inNameOrder(['zèle', 'Émeraude', 'eau', 'Zoé', 'eau', 'Étoile']), [
      'eau',
      'Émeraude',
      'Étoile',
      'zèle',
      'Zoé',
    ]))

  test('names are in one order, whatever the order of the input', () =>
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (names) =>
        assert.deepEqual(inNameOrder(names), inNameOrder(names.toReversed())),
      ),
    ))
})

test('every outcome of a delivery has an urgency for the sorting', () =>
  assert.deepEqual([...DELIVERY_URGENCY].sort(), [...DELIVERY_STATUSES].sort()))
