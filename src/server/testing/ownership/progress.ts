import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { insertCampaign, loadCampaign } from '#server/campaigns/campaigns.store.ts'
import type { Db } from '#server/db/database.ts'
import {
  findEvidence,
  findPiece,
  finishEvidence,
  insertEvidence,
  insertPiece,
} from '#server/evidence/evidence.store.ts'
import { readEvidence } from '#server/evidence/evidence-facts.ts'
import { readCampaigns } from '#server/progress/compare.ts'
import { findCampaignOfCreator, listCandidates } from '#server/progress/compared-campaigns.store.ts'
import type { Owner } from './owner.ts'
import type { Proof } from './scene.ts'

const DAY_MS = 86_400_000

/** Inserts two campaigns of a creator, of which the second began later. Returns the second and the id of the first. */
const insertCampaigns = async (db: Db, { quiz_id, user_id: creator_id }: Owner) => {
  const insert = (days: number): Promise<string> =>
    insertCampaign(
      db,
      { quiz_id, creator_id },
      {
        name: 'Campagne',
        is_anonymous: false,
        ...{
          invitation_subject: 'A',
          invitation_text: 'B',
          reminder_subject: 'C',
          reminder_text: 'D',
        },
        reminder_days: [],
        starts_at: new Date(Date.now() + days * DAY_MS).toISOString(),
        ends_at: new Date(Date.now() + 90 * DAY_MS).toISOString(),
      },
    )
  const before = await insert(-2)
  const campaign_id = await insert(-1)
  return { before, key: { quiz_id, creator_id, campaign_id } }
}

/** A comparison and its choice of earlier campaigns contain campaigns of their creator only. */
export const comparesOwnCampaigns: Proof = async ({ db, me, other }) => {
  const theirs = await insertCampaigns(db, other)
  const mine = await insertCampaigns(db, me)
  const campaign = await loadCampaign(db, mine.key)
  const candidates = await listCandidates(db, campaign, me.user_id)
  assert.deepEqual(
    candidates.map(({ campaign_id }) => campaign_id),
    [mine.before],
  )
  assert.equal(await findCampaignOfCreator(db, theirs.before, me.user_id), undefined)
  assert.ok(await findCampaignOfCreator(db, mine.before, me.user_id))
  const foreign = { ...mine.key, before: theirs.before }
  await assert.rejects(readCampaigns(db, foreign), { status: 404 })
  await assert.rejects(readCampaigns(db, { ...theirs.key, creator_id: me.user_id }), {
    status: 404,
  })
  assert.ok(await readCampaigns(db, { ...mine.key, before: mine.before }))
}

/** A file for an audit is read and sent to the creator of its campaign only. */
export const keepsEvidenceApart: Proof = async ({ db, me, other }) => {
  const { key } = await insertCampaigns(db, other)
  const campaign = await loadCampaign(db, key)
  const input = { creator_id: other.user_id, nb_total: 2 }
  const file = await insertEvidence(db, campaign, input)
  await assert.rejects(insertEvidence(db, campaign, input), { status: 409 })
  await insertPiece(db, file, { rank: 0, sealed: Buffer.from('A') })
  await finishEvidence(db, file, 1)
  assert.equal((await findEvidence(db, campaign))?.status, 'ready')
  const piece = (creator_id: string) => findPiece(db, { ...file, creator_id }, 0)
  assert.equal(await piece(me.user_id), undefined)
  assert.equal(await piece(randomUUID()), undefined)
  assert.deepEqual(await piece(other.user_id), Buffer.from('A'))
  const { signal } = new AbortController()
  const foreign = { ...key, creator_id: me.user_id }
  await assert.rejects(readEvidence(db, foreign, signal), { status: 404 })
}
