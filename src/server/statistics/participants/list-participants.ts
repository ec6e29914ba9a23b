import { sql } from 'kysely'
import type { Participant } from '#contract/statistics.ts'
import { searchedEmail } from '#domain/common/addresses.ts'
import { orderedParameters } from '#domain/questionnaire/parameters.ts'
import { readReplies } from '#domain/run/stored-replies.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import type { Sorting } from '#domain/statistics/participant-sort.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import type { View } from '#server/statistics/figures/read-view.ts'
import type { Condition } from '#server/statistics/selection/participant-filters.ts'
import {
  listResponses,
  readCursor,
  type StoredResponse,
  writeCursor,
} from '#server/statistics/selection/responses.store.ts'
import { listSorted } from './sorted-participants.store.ts'

/** The version that a participant took, which their deletion alone could take away. */
const versionOf = (
  { version }: Pick<StoredResponse, 'version'>,
  versions: readonly AnsweredVersion[],
): AnsweredVersion => {
  const taken = versions.find((candidate) => candidate.version === version)
  if (!taken) throw new Error(`Version ${version} of a stored response is missing`)
  return taken
}

/** A participant in the words of the version they took. */
export const describeParticipant = (
  response: StoredResponse,
  versions: readonly AnsweredVersion[],
): Participant => {
  const { participant_uuid, created_at, email, result_position } = response
  const { elapsed_seconds, is_suspect } = response
  const { snapshot } = versionOf(response, versions)
  const result = result_position === null ? undefined : snapshot.results[result_position]
  return {
    participant_uuid,
    created_at,
    email,
    final_result_name: result?.name ?? null,
    answers: readReplies(snapshot, response),
    elapsed_seconds,
    is_suspect,
    parameters: orderedParameters(response.parameters),
  }
}

export type ParticipantListQuery = {
  sorting: Sorting
  search: string
  cursor: string | undefined
  limit: number
}

/** Whether a list takes reading every participant of its selection: an index serves the one by date alone. */
export const readsWholeSelection = ({
  sorting,
  search,
}: Pick<ParticipantListQuery, 'sorting' | 'search'>): boolean =>
  sorting.sort !== 'date' || search !== ''

/** Those whose address or texts contain these words, in capitals or not. */
const containing = (search: string): Condition => sql<boolean>`(
  strpos(lower(coalesce(email, '')), lower(${searchedEmail(search)})) > 0
  or exists (select from unnest(texts) as given(text) where strpos(lower(text), lower(${search})) > 0)
)`

/** Most replies in a page, each with the text of its question: 20 participants of the longest questionnaire. */
const MAX_LISTED_REPLIES = 10_000

/** Returns the number of participants of a page: fewer than `most` if a version has many questions. */
const pageSize = (most: number, taken: View['taken']): number => {
  const nb_questions = Math.max(1, ...taken.map(({ snapshot }) => snapshot.questions.length))
  return Math.min(most, Math.floor(MAX_LISTED_REPLIES / nb_questions))
}

/**
 * One page of the participants of a view, and the cursor of the next one, if any. 422 when the cursor is of
 * another list, or when the view has too many participants to be sorted or searched so.
 */
export const listParticipants = async (
  db: Db,
  { quiz_id, condition: selected, is_many, taken }: View,
  { sorting, search, cursor, limit: most }: ParticipantListQuery,
): Promise<{ page: StoredResponse[]; next_cursor: string | null }> => {
  const after = cursor === undefined ? undefined : readCursor(cursor, sorting)
  const { sort, order } = sorting
  const limit = pageSize(most, taken)
  if (is_many && sort !== 'date')
    throw invalid('Trop de participants pour être triés ainsi : filtrez d’abord', 'sort')
  if (is_many && search !== '')
    throw invalid('Trop de participants pour y chercher ces mots : filtrez d’abord', 'search')
  const found = search === '' ? [] : [containing(search)]
  const conditions = [...(selected ? [selected] : []), ...found]
  const condition =
    conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : undefined
  // One more tells whether there is another page.
  const asked = { condition, after, limit: limit + 1 }
  const rows =
    sort === 'date'
      ? await listResponses(db, quiz_id, { ...asked, order })
      : await listSorted(db, quiz_id, { ...asked, sorting, taken })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next_cursor: last && rows.length > limit ? writeCursor(last, sorting) : null }
}
