import { sql } from 'kysely'
import type { Participant } from '#contract/statistics/statistics.ts'
import { emailSearchTerm } from '#domain/common/addresses.ts'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { trimText } from '#domain/common/text.ts'
import { sortParameters } from '#domain/questionnaire/parameters.ts'
import { readDimensions, writeDimensions } from '#domain/run/stored-dimensions.ts'
import { readReplies } from '#domain/run/stored-replies.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import type { Sorting } from '#domain/statistics/participant-sort.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import type { View } from '#server/statistics/figures/read-view.ts'
import { filterByPerson, hasContact } from '#server/statistics/selection/indexed-filters.store.ts'
import type { Condition } from '#server/statistics/selection/participant-filters.ts'
import {
  listResponses,
  readCursor,
  type StoredResponse,
  writeCursor,
} from '#server/statistics/selection/responses.store.ts'
import { listSorted } from './sorted-participants.store.ts'

/** Returns the version that a participant took. The version exists as long as the participant does. */
export const versionOf = (
  { version }: Pick<StoredResponse, 'version'>,
  versions: readonly AnsweredVersion[],
): AnsweredVersion => {
  const answeredVersion = versions.find((candidate) => candidate.version === version)
  if (!answeredVersion) throw new Error(`Version ${version} of a stored response is missing`)
  return answeredVersion
}

/** Describes a participant with the texts of the version that was taken. */
export const describeParticipant = (
  response: StoredResponse,
  versions: readonly AnsweredVersion[],
): Participant => {
  const { participant_uuid, created_at, email, email_confirmation, result_position } = response
  const { first_name, last_name, phone, elapsed_seconds, is_suspect } = response
  const { snapshot } = versionOf(response, versions)
  const result = result_position === null ? undefined : snapshot.results[result_position]
  return {
    participant_uuid,
    created_at,
    email,
    email_confirmation,
    first_name,
    last_name,
    phone,
    final_result_name: result?.name ?? null,
    dimensions: writeDimensions(readDimensions(snapshot, response.dimension_percents)),
    answers: readReplies(snapshot, response),
    elapsed_seconds,
    is_suspect,
    parameters: sortParameters(response.parameters),
  }
}

/** Sorting, search and page of a list of participants. */
export type ParticipantListQuery = {
  sorting: Sorting
  search: string
  cursor: string | undefined
  limit: number
}

/** Returns true if listing requires reading the whole selection. Lists by date alone use an index. */
export const readsWholeSelection = ({
  sorting,
  search,
}: Pick<ParticipantListQuery, 'sorting' | 'search'>): boolean =>
  sorting.sort !== 'date' || search !== ''

/**
 * Returns an SQL condition for participants whose address or texts contain the words, case-insensitively, or whose
 * contact data match them.
 */
const containing = (quiz_id: string, search: string): Condition => sql<boolean>`(
  strpos(lower(coalesce(email, '')), lower(${emailSearchTerm(search)})) > 0
  or coalesce(${hasContact(quiz_id, search)}, false)
  or exists (select from unnest(texts) as given(text) where strpos(lower(text), lower(${search})) > 0)
)`

/**
 * Returns the SQL condition of a view with a search; undefined if both are empty. Large quizzes are searched by address
 * and contact data only, because replies have no index. Throws a 422 if a large quiz has no such participant.
 */
export const withSearch = async (
  db: Db,
  { quiz_id, condition, is_many }: Pick<View, 'quiz_id' | 'condition' | 'is_many'>,
  search: string,
): Promise<Condition | undefined> => {
  if (search === '') return condition
  const found = await searching(db, { quiz_id, is_many }, search)
  return condition ? sql<boolean>`(${condition} and ${found})` : found
}

const searching = async (
  db: Db,
  { quiz_id, is_many }: Pick<View, 'quiz_id' | 'is_many'>,
  search: string,
): Promise<Condition> => {
  if (!is_many) return containing(quiz_id, search)
  const { condition, upperBound } = await filterByPerson(db, quiz_id, emailSearchTerm(search))
  if ((await upperBound()) > 0) return condition
  throw invalid('Trop de participants pour y chercher ces mots : filtrez d’abord', 'search')
}

/** Returns the normalised words of a search; '' for a blank search. */
export const readSearch = (search = ''): string => normalizeText(trimText(search))

/** Maximum number of replies in a page: 20 participants of the longest questionnaire. */
const MAX_LISTED_REPLIES = 10_000

/** Returns the number of participants on a page, which is below `requested` if a version has many questions. */
const pageSize = (requested: number, answeredVersions: View['answeredVersions']): number => {
  const nb_questions = Math.max(
    1,
    ...answeredVersions.map(({ snapshot }) => snapshot.questions.length),
  )
  return Math.min(requested, Math.floor(MAX_LISTED_REPLIES / nb_questions))
}

/**
 * Returns a page of the participants of a view, and the cursor of the next page. Throws a 422 if the cursor
 * belongs to another list, or if there are too many participants to sort or search.
 */
export const listParticipants = async (
  db: Db,
  view: View,
  { sorting, search, cursor, limit: requested }: ParticipantListQuery,
): Promise<{ page: StoredResponse[]; next_cursor: string | null }> => {
  const after = cursor === undefined ? undefined : readCursor(cursor, sorting)
  const { quiz_id, is_many, answeredVersions } = view
  const { sort, order } = sorting
  const limit = pageSize(requested, answeredVersions)
  if (is_many && sort !== 'date')
    throw invalid('Trop de participants pour être triés ainsi : filtrez d’abord', 'sort')
  const condition = await withSearch(db, view, search)
  // A further row is read, to know whether there is another page.
  const query = { condition, after, limit: limit + 1 }
  const rows =
    sort === 'date'
      ? await listResponses(db, quiz_id, { ...query, order })
      : await listSorted(db, quiz_id, { ...query, sorting, answeredVersions })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next_cursor: last && rows.length > limit ? writeCursor(last, sorting) : null }
}
