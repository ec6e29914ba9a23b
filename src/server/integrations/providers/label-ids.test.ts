import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionWith } from '#server/testing/fakes/sample-contacts.ts'
import { createLabelIds, type FindOrMake } from './label-ids.ts'

const connection = connectionWith('systemio', 'x')
const label = { name: 'De trop', vendor_id: null, kind: null }

test('a refused label is requested again after ten minutes, or immediately by a trial', async () => {
  let at = 1_000_000
  let asked = 0
  let answer: string = 'refused'
  const idsFor = createLabelIds(() => at)
  const findOrMake: FindOrMake = async () => {
    asked += 1
    return answer
  }
  const find = (is_trial = false) => idsFor({ is_trial }).find(connection, label, findOrMake)
  assert.deepEqual([await find(), await find(), asked], ['refused', 'refused', 1])
  at += 599_999
  assert.deepEqual([await find(), asked], ['refused', 1])
  at += 1
  assert.deepEqual([await find(), await find(), asked], ['refused', 'refused', 2])
  answer = '77'
  assert.deepEqual([await find(), asked], ['refused', 2])
  assert.deepEqual([await find(true), await find(), asked], ['77', '77', 3])
})

test('the id of a label is searched again after another account is connected', async () => {
  const idsFor = createLabelIds()
  const find = (vendor_account_id: string) =>
    idsFor({ is_trial: false }).find(
      { ...connection, vendor_account_id },
      label,
      async () => `id at ${vendor_account_id}`,
    )
  assert.deepEqual(
    [await find('first'), await find('second'), await find('first')],
    ['id at first', 'id at second', 'id at first'],
  )
})
