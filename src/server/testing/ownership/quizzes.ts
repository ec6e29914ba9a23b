import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { NO_CONTACT } from '#domain/run/contact/contact.ts'
import { exportImages } from '#server/account/export.store.ts'
import { countAll, readLedgers } from '#server/deliveries/deliveries.store.ts'
import {
  countEarlierParticipants,
  sendEarlier,
} from '#server/deliveries/earlier-participants.store.ts'
import { reconcile } from '#server/deliveries/reconcile.store.ts'
import {
  deleteImages,
  insertImages,
  listOwnImages,
  markUsed,
  usedBytes,
} from '#server/images/images.store.ts'
import {
  eraseSecret,
  findConnection,
  listActiveConnections,
  storeConnection,
} from '#server/integrations/connections.store.ts'
import { resetAccountData } from '#server/integrations/replace-account.store.ts'
import { listSwitches, loadFieldNeeds } from '#server/integrations/switches.store.ts'
import { findStates } from '#server/published-versions/quiz-states.store.ts'
import {
  listQuizzes,
  loadPublished,
  loadQuiz,
  loadQuizOfQuestion,
  loadQuizOfResult,
} from '#server/quizzes/quizzes.store.ts'
import {
  countParticipants,
  countTrash,
  deleteQuiz,
  listTrash,
  restoreQuiz,
  trashQuiz,
} from '#server/quizzes/trash.store.ts'
import { previewNotes } from '#server/responses/consent.store.ts'
import { storeSubmissions } from '#server/responses/submissions.store.ts'
import {
  listParticipantKeysOfPerson,
  listResponsesOfPerson,
} from '#server/statistics/participants/participant.store.ts'
import type { Proof, Scene } from './scene.ts'

const ABSENT = { status: 404 }

/** Quizzes, questions and results are loaded for the creator of their quiz only. */
export const keepsQuizzesApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const creator_id = me.user_id
  const { quiz_id, question_id, result_id } = other
  await assert.rejects(loadQuiz(db, { quiz_id, creator_id }), ABSENT)
  await assert.rejects(loadQuiz(db, { quiz_id, creator_id }, 'lock'), ABSENT)
  await assert.rejects(loadPublished(db, { quiz_id, creator_id }), ABSENT)
  await assert.rejects(loadQuizOfQuestion(db, { question_id, creator_id }), ABSENT)
  await assert.rejects(loadQuizOfResult(db, { result_id, creator_id }), ABSENT)
  await assert.rejects(deleteQuiz(db, { quiz_id, creator_id }), ABSENT)
  await expectUntouched('deleteQuiz with a quiz of the other creator')
  for (const change of [trashQuiz, restoreQuiz, countParticipants])
    await assert.rejects(change(db, { quiz_id, creator_id }), ABSENT)
  await expectUntouched('changes of the trash with a quiz of the other creator')
  assert.equal(await countTrash(db, creator_id), 0)
  assert.deepEqual(await listTrash(db, creator_id), [])
  const listed = await listQuizzes(db, creator_id)
  assert.deepEqual(
    listed.map(({ id }) => id),
    [me.quiz_id],
  )
}

/** Images are counted, listed, marked, exported and deleted for their creator only. */
export const keepsImagesApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const { user_id: creator_id, image_id } = me
  assert.equal(await usedBytes(db, creator_id), 1)
  const picture = {
    width: 1,
    height: 1,
    color: '#000000',
    is_opaque: true,
    is_animated: false,
    files: [{ size: 400 as const, data: Buffer.alloc(1) }],
  }
  const made = { ...picture, id: randomUUID() }
  // The other creator's byte does not count towards this quota.
  assert.equal(await insertImages(db, { creator_id, quota: 2 }, [made]), true)
  assert.deepEqual(await listOwnImages(db, creator_id, [image_id, other.image_id]), [image_id])
  assert.deepEqual([...(await markUsed(db, creator_id, [image_id, other.image_id]))], [image_id])
  await expectUntouched('markUsed')
  const named = (await exportImages(db, creator_id)).map(({ id }) => id)
  assert.deepEqual(named.sort(), [image_id, made.id].sort())
  await deleteImages(db, creator_id)
  await expectUntouched('deleteImages')
  assert.equal(await usedBytes(db, creator_id), 0)
}

/** Responses of a person are found in quizzes of the given creator only. */
export const findsOwnPeople: Proof = async ({ db, me, other }) => {
  const theirs = { creator_id: me.user_id, email: other.participant_email }
  assert.deepEqual(await listResponsesOfPerson(db, theirs), [])
  assert.deepEqual(await listParticipantKeysOfPerson(db, theirs), [])
}

/** Connections to tools are found, replaced and erased for their creator only. */
export const keepsConnectionsApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const { user_id, connection_id } = me
  const provider = 'brevo'
  assert.equal((await findConnection(db, { user_id, provider }))?.id, connection_id)
  const connected = await listActiveConnections(db, user_id)
  assert.deepEqual(
    connected.map(({ id }) => id),
    [connection_id],
  )
  await resetAccountData(db, { id: connection_id, user_id, provider, is_other: true })
  await expectUntouched('resetAccountData')
  const verified = { secret: 'x', vendor_account_id: 'x', vendor_email: 'x' }
  const vault = { seal: () => Buffer.alloc(1), open: () => 'x' }
  await storeConnection(
    db,
    vault,
    { user_id, provider, may_replace: true },
    { ...verified, token_expires_at: null },
  )
  await expectUntouched('storeConnection')
  assert.equal((await findConnection(db, { user_id, provider }))?.vendor_email, 'x')
  await eraseSecret(db, { user_id, provider })
  await expectUntouched('eraseSecret')
  assert.deepEqual(await listActiveConnections(db, user_id), [])
  assert.equal((await listActiveConnections(db, other.user_id)).length, 1)
}

/** Participants are forwarded to connections of the quiz's creator only, never to those of another creator. */
export const forwardsToOwnAccount: Proof = async (scene) => {
  const { db, me, other } = scene
  const { quiz_id, user_id } = me
  await db.deleteFrom('integration_connections').where('user_id', '=', user_id).execute()
  const provider = 'brevo'
  assert.deepEqual(await countEarlierParticipants(db, quiz_id), [])
  assert.equal(await sendEarlier(db, { quiz_id, provider }), 0)
  const [ledger] = await readLedgers(db, { quiz_id, nb_participants: 1 })
  assert.equal(ledger?.connection, 'disconnected')
  const switches = await listSwitches(db, quiz_id)
  assert.deepEqual(
    switches.map(({ is_connected }) => is_connected),
    [false],
  )
  assert.equal(await loadFieldNeeds(db, { quiz_id, provider }), undefined)
  const texts = { consent_text: null, measure_consent: true, measure_text: null }
  const asked = { id: quiz_id, type: 'quiz', consent_mode: 'box', ...texts } as const
  const { consent, measure } = await previewNotes(db, asked, me.user_id)
  assert.deepEqual([consent, measure], [null, null])
  const [state] = await findStates(db, [quiz_id])
  assert.equal(state?.consent, null)
  await submit(scene)
  await reconcile(db)
  assert.deepEqual(await deliveriesOf(scene, quiz_id), [])
  assert.deepEqual(
    (await deliveriesOf(scene, other.quiz_id)).map(({ connection_id }) => connection_id),
    [other.connection_id],
  )
  const counts = await countAll(db, user_id)
  assert.ok(counts.every(({ delivered, pending }) => delivered === 0 && pending === 0))
}

const deliveriesOf = ({ db }: Scene, quiz_id: string) =>
  db
    .selectFrom('deliveries')
    .select(['quiz_id', 'connection_id'])
    .where('quiz_id', '=', quiz_id)
    .execute()

/** Stores a response of a new participant to the quiz of `me`. */
const submit = async ({ pool, me }: Scene): Promise<void> => {
  const nothing = { result_position: null, score: null, elapsed_seconds: null }
  const layout = { choice_questions: [], text_questions: [], result_names: [] }
  const replies = { choices: [], texts: [], layout, ...NO_CONTACT }
  const outcome = await storeSubmissions(
    pool,
    [
      {
        quiz_id: me.quiz_id,
        participant_uuid: me.user_id,
        version: 1,
        ...nothing,
        ...replies,
        email: 'ada@exemple.fr',
        is_suspect: false,
        consent_version: 1,
        measure_version: 1,
        parameters: null,
        dimension_percents: null,
        is_mail_refused: false,
        run_secret_hash: null,
      },
    ],
    '',
  )
  assert.deepEqual(outcome, [{ kind: 'stored' }])
}
