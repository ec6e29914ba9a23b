import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compareDimensions, dimensionKey } from './compared-dimensions.ts'

describe('the dimensions of two campaigns', () => {
  const listening = { id: 'a', name: 'Écoute' }
  const renamed = { id: 'a', name: 'Écoute active' }

  test('are found by id within one questionnaire, with the newest name of the later campaign', () => {
    assert.deepEqual(compareDimensions([[listening]], [[renamed], [listening]], true), {
      common: [{ key: 'a', name: 'Écoute active' }],
      left_out: [],
    })
  })

  test('are found by name in two questionnaires, without case, accents and spaces', () => {
    const other = { id: 'z', name: ' ECOUTE ' }
    const { common, left_out } = compareDimensions(
      [[listening]],
      [[other, { id: 'y', name: 'Vente' }]],
      false,
    )
    assert.deepEqual(common, [{ key: dimensionKey(listening, false), name: ' ECOUTE ' }])
    assert.deepEqual(left_out, ['Vente'])
  })
})
