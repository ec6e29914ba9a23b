import assert from 'node:assert/strict'
import {
  deleteReplyAddress,
  deleteReplyAddresses,
  insertReplyAddress,
  listReplyAddresses,
} from '#server/auth/reply-addresses/reply-addresses.store.ts'
import {
  lockSender,
  requireKnownChoice,
  saveSender,
} from '#server/mail-senders/mail-sender.store.ts'
import { createMailLoader, recordSentMail } from '#server/quiz-mails/mail-data.store.ts'
import {
  countMail,
  countNotice,
  hasRefused,
  refuseMails,
} from '#server/quiz-mails/mail-limits.store.ts'
import { findMails, writeMails } from '#server/quiz-mails/quiz-mails.store.ts'
import { createUnsubscribeLinks } from '#server/quiz-mails/unsubscribe.ts'
import type { Proof } from './scene.ts'

const OFF = {
  sends_result: false,
  tells_creator: 'never',
  subject: null,
  text: null,
  shows_result: true,
  reply_to: null,
}
const ON = {
  sends_result: true,
  tells_creator: 'each',
  subject: 'A',
  text: 'B',
  shows_result: false,
  reply_to: 'none',
} as const

/** Mail settings of a quiz are read and written by its creator only. */
export const keepsMailsApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const mine = { quiz_id: me.quiz_id, creator_id: me.user_id }
  const foreign = { quiz_id: other.quiz_id, creator_id: me.user_id }
  assert.deepEqual(await findMails(db, foreign), OFF)
  await assert.rejects(writeMails(db, foreign, ON), { status: 404 })
  await expectUntouched('writeMails with a quiz of the other creator')
  await writeMails(db, mine, ON)
  assert.deepEqual(await findMails(db, mine), ON)
  assert.deepEqual(await findMails(db, { ...mine, creator_id: other.user_id }), OFF)
  await writeMails(db, mine, { ...ON, tells_creator: 'daily', sends_result: false })
  await expectUntouched('writeMails')
  assert.deepEqual(await findMails(db, { ...mine, creator_id: other.user_id }), OFF)
}

/** Mails are loaded and recorded for participants of their own quiz only. */
export const sendsOwnParticipantsByMail: Proof = async ({ db, me, other, expectUntouched }) => {
  const enableMails = async ({ quiz_id, user_id: creator_id }: typeof me) => {
    await writeMails(db, { quiz_id, creator_id }, { sends_result: true })
    const row = await db
      .selectFrom('integration_connections')
      .select('id')
      .where('quiz_id', '=', quiz_id)
      .where('provider', '=', 'mail')
      .executeTakeFirstOrThrow()
    return row.id
  }
  const connection_id = await enableMails(me)
  const loadSending = createMailLoader(db)
  const { quiz_id, participant_uuid } = me
  const mixed = [
    { quiz_id, participant_uuid: other.participant_uuid, connection_id },
    { quiz_id: other.quiz_id, participant_uuid: other.participant_uuid, connection_id },
    { quiz_id: other.quiz_id, participant_uuid, connection_id },
  ]
  for (const key of mixed) {
    assert.equal(await loadSending(key), undefined)
    await recordSentMail(db, { ...key, lease_id: connection_id })
  }
  await expectUntouched('recordSentMail with a participant of the other creator')
}

/** Refusals of mails and daily limits of mails apply to one creator only. */
export const keepsRefusalsApart: Proof = async ({ db, me, other }) => {
  const email = 'lea@exemple.fr'
  const links = createUnsubscribeLinks('x'.repeat(32), 'https://quiz.exemple.fr', async () => [])
  const token = links.write({ user_id: me.user_id, email }).split('/').at(-1) ?? ''
  const refusal = await links.read(token)
  assert.ok(refusal)
  await refuseMails(db, refusal)
  assert.equal(await hasRefused(db, { user_id: me.user_id, email }), true)
  assert.equal(await hasRefused(db, { user_id: other.user_id, email }), false)
  assert.equal(await hasRefused(db, { user_id: me.user_id, email: 'ada@exemple.fr' }), false)
  const now = new Date()
  const counted = { email, quiz_id: me.quiz_id, user_id: me.user_id, now, max_creator_mails: 1 }
  assert.equal(await countMail(db, counted), undefined)
  assert.equal(await countMail(db, counted), 'creator')
  const others = { ...counted, quiz_id: other.quiz_id, user_id: other.user_id }
  assert.equal(await countMail(db, others), undefined)
  const notice = { user_id: me.user_id, now, max_mails: 1 }
  assert.deepEqual([await countNotice(db, notice), await countNotice(db, notice)], [true, false])
  assert.equal(await countNotice(db, { ...notice, user_id: other.user_id }), true)
}

/** Reply addresses and the sender belong to one creator only. */
export const keepsSendersApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const { user_id } = me
  await insertReplyAddress(db, { user_id, email: 'lea@exemple.fr' })
  const [theirs] = await listReplyAddresses(db, other.user_id)
  assert.ok(theirs)
  const foreign = { user_id, address_id: theirs.id }
  assert.equal(await deleteReplyAddress(db, foreign), false)
  await assert.rejects(requireKnownChoice(db, user_id, theirs.id), { status: 422 })
  await lockSender(db, user_id)
  await saveSender(db, user_id, { sender_name: 'Léa', reply_to: 'none' })
  await deleteReplyAddresses(db, user_id)
  await expectUntouched('saveSender and deleteReplyAddresses')
  assert.deepEqual(await listReplyAddresses(db, user_id), [])
}
