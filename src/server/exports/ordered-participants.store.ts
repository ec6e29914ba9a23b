import { sql } from 'kysely'
import { MAX_ZIPPED_PARTICIPANTS } from '#domain/reports/document.ts'
import { fullNameOf } from '#domain/run/contact/full-name.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import type { ReadView } from '#server/statistics/figures/read-view.ts'
import { readSearch, withSearch } from '#server/statistics/participants/list-participants.ts'
import { isFiltered } from '#server/statistics/selection/participant-filters.ts'
import { listResponses } from '#server/statistics/selection/responses.store.ts'
import type { DocumentsDownload } from './download-links.ts'

/** Order of documents with its quiz and creator. */
export type DocumentsOrder = Pick<DocumentsDownload, 'quiz_id' | 'creator_id' | 'order'>

/** Participant in a ZIP; `name` is the full name, the address if no name is known, or null. */
export type ZippedParticipant = { participant_uuid: string; name: string | null }

/** Lists the participants of an order, newest first. Throws a 404 if the quiz belongs to another creator. */
export const listOrdered = (
  readView: ReadView,
  { quiz_id, creator_id, order }: DocumentsOrder,
  signal: AbortSignal | undefined,
) => {
  const { file, participant_uuid, participant_uuids, search: typed, ...filters } = order
  const wanted = file === 'zip' ? participant_uuids : [participant_uuid ?? '']
  const search = file === 'zip' ? readSearch(typed) : ''
  return readView(
    { quiz_id, creator_id, filters, signal },
    async (state, view) => {
      const { quiz } = await loadQuiz(state, { quiz_id, creator_id })
      const found = await withSearch(state, view, search)
      const chosen = wanted && sql<boolean>`participant_uuid = any(${wanted}::uuid[])`
      const conditions = [found, chosen].filter((condition) => condition !== undefined)
      const rows = await listResponses(state, quiz_id, {
        condition:
          conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : undefined,
        after: undefined,
        limit: MAX_ZIPPED_PARTICIPANTS,
      })
      const participants = rows.map(
        (row): ZippedParticipant => ({
          participant_uuid: row.participant_uuid,
          name: fullNameOf(row) ?? row.email,
        }),
      )
      return { quiz, time_zone: view.time_zone, participants }
    },
    isFiltered(filters) || search !== '',
  )
}
