import assert from 'node:assert/strict'
import { createDeliveryLoader } from '#server/webhooks/send-webhook.ts'
import {
  endWebhook,
  insertWebhook,
  listWebhooks,
  loadSecrets,
  loadWebhook,
  rotateSecret,
  writeWebhook,
} from '#server/webhooks/webhooks.store.ts'
import type { Proof } from './scene.ts'

const ABSENT = { status: 404 }
const vault = { seal: () => Buffer.alloc(1), open: () => 'x' }
const CHANGE = { url: 'https://exemple.fr/autre', is_paused: true }

/** Webhooks are read, changed and ended by the creator of their quiz only, with the id of that quiz. */
export const keepsWebhooksApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const creator_id = me.user_id
  const own = { quiz_id: me.quiz_id, creator_id }
  const listed = await listWebhooks(db, own)
  assert.deepEqual(
    listed.map(({ id }) => id),
    [me.webhook_id],
  )
  assert.deepEqual(await listWebhooks(db, { quiz_id: other.quiz_id, creator_id }), [])
  const foreign = [
    { quiz_id: other.quiz_id, creator_id, webhook_id: other.webhook_id },
    { ...own, webhook_id: other.webhook_id },
  ]
  for (const at of foreign) {
    await assert.rejects(loadWebhook(db, at), ABSENT)
    await assert.rejects(loadSecrets(db, at), ABSENT)
    await assert.rejects(writeWebhook(db, at, CHANGE), ABSENT)
    await assert.rejects(rotateSecret(db, vault, { ...at, secret: 'x' }), ABSENT)
    await assert.rejects(endWebhook(db, at), ABSENT)
  }
  const elsewhere = { quiz_id: other.quiz_id, creator_id }
  const added = { url: CHANGE.url, secret: 'x' }
  await assert.rejects(insertWebhook(db, vault, { ...elsewhere, ...added }), ABSENT)
  await expectUntouched('a webhook function with an id of the other creator')

  const mine = { ...own, webhook_id: me.webhook_id }
  await writeWebhook(db, mine, CHANGE)
  await rotateSecret(db, vault, { ...mine, secret: 'x' })
  await insertWebhook(db, vault, { ...own, url: 'https://exemple.fr/une', secret: 'x' })
  await endWebhook(db, mine)
  await expectUntouched('a webhook function with own ids')
  assert.equal((await listWebhooks(db, own)).length, 1)
}

/** Deliveries of a participant go to webhooks of their own quiz only. */
export const sendsOwnParticipants: Proof = async ({ db, me, other }) => {
  const loadSending = createDeliveryLoader(db)
  const { quiz_id, participant_uuid, webhook_id: connection_id } = me
  const mixed = [
    { quiz_id, participant_uuid, connection_id: other.webhook_id },
    { quiz_id, participant_uuid: other.participant_uuid, connection_id },
    { quiz_id: other.quiz_id, participant_uuid, connection_id },
  ]
  for (const key of mixed) assert.equal(await loadSending(key), undefined)
}
