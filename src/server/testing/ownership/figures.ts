import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { CrosstabSide } from '#domain/statistics/crosstab.ts'
import {
  listDeliveries,
  readLedgers,
  retryDeliveries,
} from '#server/deliveries/deliveries.store.ts'
import { countEarlierParticipants } from '#server/deliveries/earlier-participants.store.ts'
import { findQuestionIdsInVersions } from '#server/quizzes/versions.store.ts'
import { previewNotes } from '#server/responses/consent.store.ts'
import {
  countRepeats,
  listAnsweredVersions,
  listFrequentTexts,
  listVisitedVersions,
  readCounters,
  searchTexts,
} from '#server/statistics/counters/counters.store.ts'
import { countSelected } from '#server/statistics/figures/count-selection.store.ts'
import { countCrosstab } from '#server/statistics/figures/crosstab.store.ts'
import {
  countDelivered,
  countRows,
  readDayTotals,
} from '#server/statistics/figures/key-figures.store.ts'
import { readOverview } from '#server/statistics/figures/overview.store.ts'
import { listQuizNames } from '#server/statistics/participants/participant.store.ts'
import { announceRemovals } from '#server/statistics/participants/retention.store.ts'
import { filterByPerson } from '#server/statistics/selection/indexed-filters.store.ts'
import { indexNextRareAnswers } from '#server/statistics/selection/rare-answers.store.ts'
import {
  countBetween,
  countChosen,
  countEndedOn,
} from '#server/statistics/selection/selection-sizes.store.ts'
import {
  deleteLink,
  findLink,
  insertLink,
  openLink,
} from '#server/statistics/statistics-links.store.ts'
import type { Proof, Scene } from './scene.ts'

const EVER = { from: undefined, before: undefined }
const time_zone = 'Pacific/Noumea'
const LONG_AGO = '2000-01-01'

/** Inserts a row for the other creator's quiz into each table of counters. */
const insertOtherCounters = async ({ db, other }: Scene): Promise<void> => {
  const { quiz_id, question_id } = other
  const version = 1
  const text = { question_id, text: 'Lyon', digest: Buffer.alloc(32) }
  const choice = { question_position: 0, answer_position: 0 }
  const quarter = { version, quarter: LONG_AGO, count: 1 }
  await db
    .insertInto('choice_counts')
    .values({ quiz_id, version, ...choice, count: 1 })
    .execute()
  await db
    .insertInto('text_counts')
    .values({ quiz_id, ...text, count: 2 })
    .execute()
  await db
    .insertInto('result_counts')
    .values({ quiz_id, version, result_position: 0, count: 1 })
    .execute()
  await db.insertInto('score_counts').values({ quiz_id, score: 1, count: 1 }).execute()
  await db
    .insertInto('quarter_counts')
    .values({ quiz_id, ...quarter })
    .execute()
  await db.insertInto('duration_counts').values({ quiz_id, seconds: 1, count: 1 }).execute()
  await db.insertInto('consent_counts').values({ quiz_id, consent_version: 1, count: 1 }).execute()
  await db
    .insertInto('visit_counts')
    .values({ quiz_id, ...quarter, step: 0 })
    .execute()
}

/** Figures of a quiz count participants of this quiz only. */
export const countsOwnParticipants: Proof = async (scene) => {
  const { db, me, other } = scene
  await insertOtherCounters(scene)
  const { quiz_id } = me
  const { question_id } = other
  const { versions, ...counts } = await readCounters(db, { quiz_id, time_zone }, [])
  for (const [what, rows] of Object.entries(counts)) assert.deepEqual(rows, [], what)
  assert.deepEqual(versions, [])
  assert.equal((await listAnsweredVersions(db, quiz_id)).length, 1)
  assert.deepEqual(await listFrequentTexts(db, quiz_id, [question_id], 10), [])
  assert.deepEqual(await countRepeats(db, quiz_id, [question_id]), [])
  const wanted = { search: 'ly', limit: 10 }
  assert.deepEqual(await searchTexts(db, { quiz_id, question_id }, wanted), [])
  const elsewhere = { quiz_id: other.quiz_id, question_id: randomUUID() }
  assert.deepEqual(await searchTexts(db, elsewhere, wanted), [])
  const place = {
    version: 1,
    question_id,
    result_position: 0,
    question_position: 0,
    answer_position: 0,
    first_slot: 1,
    last_slot: 1,
  }
  assert.equal(await countEndedOn(db, quiz_id, [place]), 0)
  assert.deepEqual(await countChosen(db, quiz_id, [place]), new Map([[question_id, 0]]))
  assert.equal(await countBetween(db, quiz_id, EVER), 0)
  assert.deepEqual(await listVisitedVersions(db, quiz_id, EVER), [])
  assert.equal((await listVisitedVersions(db, other.quiz_id, EVER)).length, 1)
  const named = await filterByPerson(db, quiz_id, other.participant_email)
  assert.equal(await named.upperBound(), 0)
  const counted = await countSelected(db, { quiz_id, condition: sql`true`, time_zone }, [])
  assert.deepEqual(
    counted.days.map(({ count }) => count),
    [1],
  )
  const overview = await readOverview(db, me.user_id)
  assert.deepEqual(
    overview.map(({ id, nb_opened }) => [id, nb_opened]),
    [[quiz_id, 1]],
  )
  assert.deepEqual([...(await listQuizNames(db, [quiz_id])).keys()], [quiz_id])
  const texts = { consent_text: null, measure_consent: true, measure_text: null }
  const asked = { id: randomUUID(), type: 'quiz', consent_mode: 'box', ...texts } as const
  const { consent, measure } = await previewNotes(db, asked, me.user_id)
  assert.deepEqual([consent, measure], [null, null])
}

/** Key figures and cross tables count one quiz only, even if another quiz has the same participant or question. */
export const countsOneQuiz: Proof = async (scene) => {
  const { db, me, other } = scene
  await insertOtherCounters(scene)
  const { quiz_id } = me
  const quiz = { type: 'quiz' }
  const snapshot = { quiz, results: [], questions: [{ id: other.question_id, answers: [] }] }
  await sql`update quiz_versions set snapshot = ${JSON.stringify(snapshot)}::jsonb
    where quiz_id = ${other.quiz_id}`.execute(db)
  await db
    .insertInto('deliveries')
    .values({
      quiz_id: other.quiz_id,
      participant_uuid: me.participant_uuid,
      provider: 'brevo',
      connection_id: other.connection_id,
      status: 'delivered',
      created_at: LONG_AGO,
    })
    .execute()
  assert.deepEqual(await readDayTotals(db, quiz_id, EVER, { time_zone }), {
    days: [],
    opened: { now: 0, compared: 0, before: 0 },
  })
  assert.equal(await countDelivered(db, quiz_id), 0)
  const rows = await countRows(db, { quiz_id, condition: undefined }, { time_zone })
  assert.deepEqual(rows.map(({ kind, now }) => [kind, now]).sort(), [
    ['address', 1],
    ['day', 1],
    ['delivered', 0],
    ['participant', 1],
  ])
  const place = {
    version: 1,
    first_slot: null,
    last_slot: null,
    dimension_rank: null,
    indexes: new Map(),
  }
  const results: CrosstabSide = {
    question_id: null,
    dimension_id: null,
    text: '',
    takes_several: false,
    items: [],
    places: [place],
  }
  const sides = { rows: results, columns: results }
  const counted = await countCrosstab(db, { quiz_id, condition: undefined }, sides)
  assert.deepEqual(
    counted.map(({ count }) => count),
    [1, 1, 1, 1],
  )
  const ids = [other.question_id]
  assert.equal((await findQuestionIdsInVersions(db, other.quiz_id, ids)).size, 1)
  assert.equal((await findQuestionIdsInVersions(db, quiz_id, ids)).size, 0)
}

/** Functions for retention, rare answers, deliveries and ledgers read and change one quiz only. */
export const announcesOneQuiz: Proof = async (scene) => {
  const { db, me, other } = scene
  await insertOtherCounters(scene)
  await db
    .insertInto('deliveries')
    .values({
      quiz_id: other.quiz_id,
      participant_uuid: other.participant_uuid,
      provider: 'brevo',
      connection_id: other.connection_id,
      status: 'refused',
      created_at: LONG_AGO,
    })
    .execute()
  await sql`insert into rare_answer_progress values (${other.quiz_id}, ${LONG_AGO})`.execute(db)
  const readOtherRows = async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select before, status, examined_until::text from retention
      join deliveries using (quiz_id) join rare_answer_progress using (quiz_id)
      where quiz_id = ${other.quiz_id}
    `.execute(db)
    return rows
  }
  const before = await readOtherRows()
  assert.equal(before.length, 1)
  await announceRemovals(db, me.quiz_id)
  await indexNextRareAnswers(db, me.quiz_id)
  const key = {
    quiz_id: me.quiz_id,
    provider: 'brevo' as const,
    connection_id: undefined,
    participant_uuid: undefined,
  }
  assert.equal(await retryDeliveries(db, key), 0)
  assert.deepEqual(await readOtherRows(), before)
  const nothing = { provider: undefined, status: undefined, after: undefined, limit: 10 }
  for (const email of [undefined, other.participant_email])
    assert.deepEqual(await listDeliveries(db, { ...nothing, quiz_id: me.quiz_id, email }), [])
  const nowhere = randomUUID()
  assert.deepEqual(await countEarlierParticipants(db, nowhere), [])
  assert.deepEqual(await readLedgers(db, { quiz_id: nowhere, nb_participants: 0 }), [])
  await db.deleteFrom('quiz_integrations').where('quiz_id', '=', me.quiz_id).execute()
  await db.deleteFrom('integration_connections').where('id', '=', me.webhook_id).execute()
  assert.deepEqual(await readLedgers(db, { quiz_id: me.quiz_id, nb_participants: 1 }), [])
}

/** Functions for statistics links find, insert, delete and open the link of one quiz only. */
export const sharesOneQuiz: Proof = async ({ db, me, other, expectUntouched }) => {
  const nowhere = randomUUID()
  assert.equal(await findLink(db, nowhere), undefined)
  const hash = async (quiz_id: string): Promise<Buffer> => {
    const { token_hash } = await db
      .selectFrom('statistics_links')
      .select('token_hash')
      .where('quiz_id', '=', quiz_id)
      .executeTakeFirstOrThrow()
    return token_hash
  }
  assert.equal((await openLink(db, await hash(me.quiz_id)))?.quiz_id, me.quiz_id)
  assert.notEqual((await findLink(db, me.quiz_id))?.opened_on, null)
  assert.equal((await findLink(db, other.quiz_id))?.opened_on, null)
  assert.equal(await openLink(db, Buffer.alloc(32)), undefined)
  assert.ok(await deleteLink(db, me.quiz_id))
  assert.ok(!(await deleteLink(db, me.quiz_id)))
  const [token_hash, sealed_token] = [Buffer.alloc(32, 1), Buffer.alloc(1)]
  assert.ok(await insertLink(db, { quiz_id: me.quiz_id, token_hash, sealed_token }))
  await expectUntouched('insertLink')
}
