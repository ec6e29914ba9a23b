import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createConfirmationScene } from '#server/testing/app/confirmation-scene.ts'
import { settleDueConfirmations } from './due-confirmations.store.ts'

const scene = await createConfirmationScene()
const { pool, db, linkTo, press, listMailsTo, createConfirmingQuiz } = scene
const { finishDeliveries, submitParticipant, newAddress } = scene

describe('the time of a confirmation', () => {
  test('jumps of the database clock end nothing early and remind nobody twice', async () => {
    const { join, stateOf } = await createConfirmingQuiz(['brevo'])
    const { address, participant_uuid } = await join()
    await settleDueConfirmations(db)
    for (const jump of ['30 days', '-60 days', '90 days', '-1 hour']) {
      // A run reads the clock long after or before the last run.
      await pool.query(`update confirmation_clock set read_at = now() - interval '${jump}'`)
      await settleDueConfirmations(db)
      await finishDeliveries()
    }
    assert.equal(await stateOf(participant_uuid), 'waiting')
    assert.equal(listMailsTo(address).length, 1)
  })

  test('days count from the mail, so that a server that is down costs no contact', async () => {
    const { quiz, balance, stateOf } = await createConfirmingQuiz(['brevo'])
    scene.catcher.refuse(1_000)
    const address = newAddress()
    const { participant_uuid } = await submitParticipant(quiz, address)
    await scene.worker.drain()
    await settleDueConfirmations(db)
    await pool.query('update confirmation_clock set elapsed_s = elapsed_s + 30 * 86400')
    await settleDueConfirmations(db)
    assert.equal(await stateOf(participant_uuid), 'waiting')
    scene.catcher.heal()
    await finishDeliveries()
    assert.equal(listMailsTo(address).length, 1)
    await press(linkTo(address))
    await finishDeliveries()
    assert.deepEqual(await balance('brevo'), { delivered: 1 })
  })
})
