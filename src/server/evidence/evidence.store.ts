import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { EVIDENCE_LIMITS, type EvidenceFailure } from '#domain/evidence/evidence.ts'
import type { CampaignRow } from '#server/campaigns/campaigns.store.ts'
import { type Db, withRetries } from '#server/db/database.ts'
import { isUniqueViolation } from '#server/db/database-error.ts'
import type { Tables } from '#server/db/tables.ts'
import { conflict } from '#server/http/edge/errors.ts'

/** Key of a file. */
export type EvidenceKey = { quiz_id: string; id: string }
/** File for an audit without its content. */
export type EvidenceRow = Selectable<Tables['evidence_files']>
type LoadedCampaign = Pick<CampaignRow, 'quiz_id' | 'id'>

/** Time without a sign of life after which the process that wrote a file has ended. */
const SILENCE = sql`interval '3 minutes'`

/** Returns the file of a campaign that the caller has loaded; undefined without one and after its expiry. */
export const findEvidence = (
  db: Db,
  { quiz_id, id }: LoadedCampaign,
): Promise<EvidenceRow | undefined> =>
  db
    .selectFrom('evidence_files')
    .selectAll()
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', id)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()

/**
 * Inserts a file to be written, in place of the last one of a campaign that the caller has loaded and locked. Throws a 409
 * if the account is writing a file.
 */
export const insertEvidence = async (
  db: Db,
  { quiz_id, id: campaign_id }: LoadedCampaign,
  { creator_id, nb_total }: { creator_id: string; nb_total: number },
): Promise<EvidenceRow> => {
  await db
    .deleteFrom('evidence_files')
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', campaign_id)
    .where('status', '<>', 'writing')
    .execute()
  try {
    return await db
      .insertInto('evidence_files')
      .values({
        ...{ quiz_id, id: randomUUID(), campaign_id, creator_id, nb_total },
        expires_at: sql<string>`now() + make_interval(hours => ${EVIDENCE_LIMITS.hours})`,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw conflict(
      'evidence_busy',
      'Un dossier de preuves est déjà en préparation : attendez sa fin, ou annulez-le',
    )
  }
}

/** Deletes the file of a campaign that the caller has loaded, also while it is written. Returns true if there was one. */
export const deleteEvidence = async (db: Db, { quiz_id, id }: LoadedCampaign): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('evidence_files')
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Records the number of written parts, and that the writing process lives. Returns false if the file was deleted. */
export const recordProgress = async (
  db: Db,
  { quiz_id, id }: EvidenceKey,
  progress: { nb_done?: number; nb_total?: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('evidence_files')
    .set({ ...progress, written_at: sql<string>`now()` })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .where('status', '=', 'writing')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores a piece of a file that is being written. Returns false if the file was deleted. */
export const insertPiece = async (
  db: Db,
  { quiz_id, id }: EvidenceKey,
  { rank, sealed }: { rank: number; sealed: Buffer },
): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    insert into evidence_pieces (quiz_id, file_id, rank, sealed)
    select quiz_id, id, ${rank}, ${sealed} from evidence_files
    where quiz_id = ${quiz_id} and id = ${id} and status = 'writing' for key share
  `.execute(db)
  return numAffectedRows > 0n
}

/** Marks a file as ready. It expires a day later. */
export const finishEvidence = async (
  db: Db,
  { quiz_id, id }: EvidenceKey,
  size_bytes: number,
): Promise<void> => {
  await db
    .updateTable('evidence_files')
    .set({
      ...{ status: 'ready', size_bytes },
      nb_done: sql<number>`nb_total`,
      expires_at: sql<string>`now() + make_interval(hours => ${EVIDENCE_LIMITS.hours})`,
    })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .where('status', '=', 'writing')
    .execute()
}

/** Marks a file as failed and deletes its pieces. */
export const failEvidence = async (
  db: Db,
  { quiz_id, id }: EvidenceKey,
  failure: EvidenceFailure,
): Promise<void> => {
  await db.transaction().execute(async (change) => {
    await change
      .updateTable('evidence_files')
      .set({ status: 'failed', failure })
      .where('quiz_id', '=', quiz_id)
      .where('id', '=', id)
      .where('status', '=', 'writing')
      .execute()
    await change
      .deleteFrom('evidence_pieces')
      .where('quiz_id', '=', quiz_id)
      .where('file_id', '=', id)
      .execute()
  })
}

/** Returns a piece of a ready file of a creator; undefined after the last one, and after the file was deleted. */
export const findPiece = async (
  db: Db,
  { quiz_id, id, creator_id }: EvidenceKey & { creator_id: string },
  rank: number,
): Promise<Buffer | undefined> => {
  const row = await db
    .selectFrom('evidence_pieces')
    .innerJoin('evidence_files', (join) =>
      join
        .onRef('evidence_files.quiz_id', '=', 'evidence_pieces.quiz_id')
        .onRef('evidence_files.id', '=', 'file_id'),
    )
    .innerJoin('quizzes', 'quizzes.id', 'evidence_files.quiz_id')
    .select('sealed')
    .where('evidence_pieces.quiz_id', '=', quiz_id)
    .where('file_id', '=', id)
    .where('rank', '=', rank)
    .where('evidence_files.status', '=', 'ready')
    .where('quizzes.creator_id', '=', creator_id)
    .executeTakeFirst()
  return row?.sealed
}

/** Deletes expired files, and marks files whose process has ended as interrupted. */
export const deleteExpiredEvidence = (db: Db): Promise<void> =>
  withRetries(() =>
    db.transaction().execute(async (change) => {
      await change
        .deleteFrom('evidence_files')
        .where('expires_at', '<=', sql<string>`now()`)
        .execute()
      const silent = await change
        .updateTable('evidence_files')
        .set({ status: 'failed', failure: 'interrupted' })
        .where('status', '=', 'writing')
        .where('written_at', '<', sql<string>`now() - ${SILENCE}`)
        .returning(['quiz_id', 'id'])
        .execute()
      if (silent.length === 0) return
      await change
        .deleteFrom('evidence_pieces')
        .where(
          sql<boolean>`(quiz_id, file_id) in (
            select * from jsonb_to_recordset(${JSON.stringify(silent)}::jsonb) as silent(quiz_id uuid, id uuid)
          )`,
        )
        .execute()
    }),
  )

/** Stores « Actions menées » of a campaign, unless another tab has stored a text that differs from `former_text`. */
export const storeActions = async (
  db: Db,
  { quiz_id, id }: LoadedCampaign,
  { actions_text, former_text }: { actions_text: string; former_text: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('campaigns')
    .set({ actions_text })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .where('actions_text', 'in', [former_text, actions_text])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
