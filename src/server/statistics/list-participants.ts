import { sql } from 'kysely'
import { searchedEmail } from '#domain/mailbox.ts'
import type { Sorting } from '#domain/participant-sort.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { Condition } from './matching.ts'
import type { View } from './read-view.ts'
import { listResponses, type StoredResponse } from './responses.store.ts'
import { listSorted } from './sorted.store.ts'

export type ListAsked = {
  sorting: Sorting
  search: string
  cursor: string | undefined
  limit: number
}

/** Whether a list takes reading every participant of its selection: an index serves the one by date alone. */
export const readsAll = ({ sorting, search }: Pick<ListAsked, 'sorting' | 'search'>): boolean =>
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
  { sorting, search, cursor, limit: most }: ListAsked,
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
