import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMailScene } from '#server/testing/app/mail-scene.ts'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { refuseDeliveriesOfEndedConnections } from '#server/webhooks/ended-connections.store.ts'

// Runs in test:all, because it repeats its rule with each fault of each tool.

const app = await createMailScene()
const {
  db,
  pool,
  submitParticipant,
  finishDeliveries,
  worker,
  catcher,
  newAddress,
  countMailsTo,
  createMailQuiz,
} = app

const HOUR_MS = 3_600_000

/** Returns the columns that another process writes for a running delivery. */
const leased = (participant_uuid: string) => ({
  text: `update deliveries set lease_id = participant_uuid, lease_until = now() + interval '1 hour',
      next_attempt_at = now() + interval '1 hour'
    where participant_uuid = $1 and status = 'pending'`,
  values: [participant_uuid],
})
const delivered = (participant_uuid: string) => ({
  text: `update deliveries set status = 'delivered', next_attempt_at = null, settled_at = now()
    where participant_uuid = $1 and status = 'pending'`,
  values: [participant_uuid],
})
const stateOf = (participant_uuid: string) =>
  db
    .selectFrom('deliveries')
    .select(['status', 'lease_id'])
    .where('participant_uuid', '=', participant_uuid)
    .executeTakeFirstOrThrow()

describe('a mail that is switched off', () => {
  test('a mail that is switched off during its sending is sent once, even if it is enabled again and retried', async () => {
    const { creator, quiz, setMails, balance } = await createMailQuiz()
    const address = newAddress()
    catcher.fail({ how: 'held', to: address })
    await submitParticipant(quiz, address)
    const sending = worker.drain()
    await catcher.next(address)
    await setMails({ sends_result: false })
    await setMails({ sends_result: true })
    const retry = () => creator.client.deliveries.retry({ id: quiz.id, body: { provider: 'mail' } })
    assert.deepEqual(await retry(), { nb_retried: 0 })
    catcher.release()
    await sending
    assert.deepEqual(await retry(), { nb_retried: 0 })
    await finishDeliveries(HOUR_MS)
    assert.deepEqual(countMailsTo([address]), [1])
    assert.deepEqual(await balance(), { delivered: 1 })
  })

  for (const write of [leased, delivered])
    test(`switching a mail off leaves a delivery unchanged that is ${write.name} at the same moment`, async () => {
      const { quiz, setMails } = await createMailQuiz()
      const { participant_uuid } = await submitParticipant(quiz, newAddress())
      await using other = await openTransaction(pool, write(participant_uuid))
      const off = setMails({ sends_result: false })
      await other.waitUntilBlocking()
      await other.commit()
      await off
      const lease_id = write === leased ? participant_uuid : null
      const status = write === leased ? 'pending' : 'delivered'
      assert.deepEqual(await stateOf(participant_uuid), { status, lease_id })
    })

  test('the delivery of a killed process is settled after its lease if mails are switched off', async () => {
    const { quiz, setMails, balance } = await createMailQuiz()
    const { participant_uuid } = await submitParticipant(quiz, newAddress())
    await pool.query(leased(participant_uuid))
    await setMails({ sends_result: false })
    assert.deepEqual(await balance(), { pending: 1 })
    await pool.query(
      `update deliveries set lease_until = now() - interval '1 second' where participant_uuid = $1`,
      [participant_uuid],
    )
    await refuseDeliveriesOfEndedConnections(db)
    assert.deepEqual(await balance(), { refused: 1 })
  })
})

describe('a manual retry', () => {
  for (const write of [leased, delivered])
    test(`a manual retry leaves a delivery unchanged that is ${write.name} at the same moment`, async () => {
      const { creator, quiz } = await createMailQuiz()
      const { participant_uuid } = await submitParticipant(quiz, newAddress())
      await using other = await openTransaction(pool, write(participant_uuid))
      const body = { provider: 'mail', participant_uuid } as const
      const retried = creator.client.deliveries.retry({ id: quiz.id, body })
      await other.waitUntilBlocking()
      await other.commit()
      assert.deepEqual(await retried, { nb_retried: 0 })
      const lease_id = write === leased ? participant_uuid : null
      const status = write === leased ? 'pending' : 'delivered'
      assert.deepEqual(await stateOf(participant_uuid), { status, lease_id })
      await pool.query('update deliveries set lease_id = null where participant_uuid = $1', [
        participant_uuid,
      ])
    })
})
