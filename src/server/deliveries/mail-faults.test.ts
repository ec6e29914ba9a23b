import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { createMailScene, MAILS_A_DAY } from '#server/testing/app/mail-scene.ts'

// Runs in test:all, because it repeats its rule with each fault of each tool.

const app = await createMailScene()
const { db, submitParticipant, advanceClock, finishDeliveries, now, worker, startWorker, catcher } =
  app
const { newAddress, listMailsTo, countMailsTo, createMailQuiz } = app

const HOUR_MS = 3_600_000

describe('the faults of a mail server', () => {
  test('a mail server that is down for an hour loses and duplicates no mail', async () => {
    const { addParticipants, balance } = await createMailQuiz()
    catcher.fail({ how: 'away', times: 10_000 })
    const addresses = await addParticipants(5)
    await worker.drain()
    await advanceClock(HOUR_MS, HOUR_MS / 4)
    assert.deepEqual(countMailsTo(addresses), [0, 0, 0, 0, 0])
    assert.deepEqual(await balance(), { pending: 5 })
    catcher.heal()
    await finishDeliveries(HOUR_MS)
    assert.deepEqual(countMailsTo(addresses), [1, 1, 1, 1, 1])
    assert.deepEqual(await balance(), { delivered: 5 })
  })

  const TEMPORARY_FAULTS = [
    { status: 451, at: 'MAIL' },
    { status: 450, at: 'RCPT' },
    { status: 452, at: 'content' },
    { status: 535, at: 'MAIL' },
    'half',
  ] as const
  for (const how of pickByRun({ daily: TEMPORARY_FAULTS.slice(0, 1), all: [...TEMPORARY_FAULTS] }))
    test(`a mail that the server refuses temporarily is tried again (${JSON.stringify(how)})`, async () => {
      const { addParticipants, balance } = await createMailQuiz()
      catcher.fail({ how, times: 2 })
      const addresses = await addParticipants(3)
      await finishDeliveries(HOUR_MS)
      assert.deepEqual(countMailsTo(addresses), [1, 1, 1])
      assert.deepEqual(await balance(), { delivered: 3 })
    })

  test('a mail that is tried four times counts once towards the daily limit of its address', async () => {
    const { quiz, balance } = await createMailQuiz()
    const address = newAddress()
    catcher.fail({ how: { status: 451, at: 'RCPT' }, to: address, times: 3 })
    await submitParticipant(quiz, address)
    await finishDeliveries(60_000)
    assert.equal(listMailsTo(address).length, 1)
    assert.deepEqual(await balance(), { delivered: 1 })
  })

  for (const [at, reason] of [
    ['RCPT', 'La messagerie de cette adresse refuse l’email.'],
    ['content', 'Le serveur d’emails refuse ce message.'],
  ] as const)
    test(`a mail whose address is finally refused (${at}) is not tried again, and the ledger shows the reason`, async () => {
      const { quiz, addParticipants, balance, listReasons } = await createMailQuiz()
      const address = newAddress()
      catcher.fail({ how: { status: 550, at }, to: address, times: 10 })
      await submitParticipant(quiz, address)
      const others = await addParticipants(2)
      await finishDeliveries(HOUR_MS)
      assert.deepEqual(countMailsTo([address, ...others]), [0, 1, 1])
      assert.deepEqual(await balance(), { delivered: 2, refused: 1 })
      assert.deepEqual(await listReasons(), [null, null, reason])
    })

  test('a slow mail server delays no tool and causes no duplicate mail by another process', async () => {
    const { quiz, balance } = await createMailQuiz(['brevo'])
    const address = newAddress()
    catcher.fail({ how: 'held', to: address })
    await submitParticipant(quiz, address)
    const sending = worker.drain()
    await catcher.next(address)
    const other = startWorker()
    await other.drain()
    assert.deepEqual(await balance(), { pending: 1 })
    catcher.release()
    await sending
    await finishDeliveries()
    await other.close()
    assert.equal(listMailsTo(address).length, 1)
    assert.deepEqual(await balance(), { delivered: 1 })
    assert.deepEqual(await balance('brevo'), { delivered: 1 })
  })

  test('a mail that was accepted without a reply is sent again under the same id', async () => {
    const { quiz, balance } = await createMailQuiz()
    const address = newAddress()
    catcher.fail({ how: 'lost', to: address })
    await submitParticipant(quiz, address)
    await finishDeliveries(HOUR_MS)
    const ids = listMailsTo(address).map(({ headers }) => headers['message-id'])
    assert.equal(ids.length, 2)
    assert.equal(new Set(ids).size, 1)
    assert.deepEqual(await balance(), { delivered: 1 })
  })
})

describe('a process that is killed while it sends a mail', () => {
  /**
   * Resets a delivery as if its process had died after storing these calls. The lease has ended and the delivery is
   * not settled.
   */
  const leave = (participant_uuid: string, completed_calls: object | null) =>
    db
      .updateTable('deliveries')
      .set({
        status: 'pending',
        settled_at: null,
        completed_calls: completed_calls && JSON.stringify(completed_calls),
      })
      .set({ lease_id: participant_uuid, lease_until: now(), next_attempt_at: now() })
      .where('participant_uuid', '=', participant_uuid)
      .execute()

  test('another worker sends the mail of a process that was killed before sending it', async () => {
    const { quiz, balance } = await createMailQuiz()
    const address = newAddress()
    const { participant_uuid } = await submitParticipant(quiz, address)
    await leave(participant_uuid, null)
    await finishDeliveries(HOUR_MS)
    assert.equal(listMailsTo(address).length, 1)
    assert.deepEqual(await balance(), { delivered: 1 })
  })

  test('a process that is killed after the server accepted its mail causes no second mail', async () => {
    const { quiz, balance } = await createMailQuiz()
    const address = newAddress()
    const { participant_uuid } = await submitParticipant(quiz, address)
    await finishDeliveries()
    const { completed_calls } = await db
      .selectFrom('deliveries')
      .select('completed_calls')
      .where('participant_uuid', '=', participant_uuid)
      .executeTakeFirstOrThrow()
    await leave(participant_uuid, completed_calls)
    await finishDeliveries(HOUR_MS)
    assert.equal(listMailsTo(address).length, 1)
    assert.deepEqual(await balance(), { delivered: 1 })
  })

  test('two concurrent workers send each mail once', async () => {
    const { addParticipants, balance } = await createMailQuiz()
    const addresses = await addParticipants(MAILS_A_DAY)
    const other = startWorker()
    await Promise.all([worker.drain(), other.drain()])
    await finishDeliveries()
    await other.close()
    assert.deepEqual(
      countMailsTo(addresses),
      addresses.map(() => 1),
    )
    assert.deepEqual(await balance(), { delivered: MAILS_A_DAY })
  })
})
