import { type RawBuilder, sql } from 'kysely'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import { DELIVERY_URGENCY, inNameOrder, type Sorting } from '#domain/statistics/participant-sort.ts'
import type { Db } from '#server/db/database.ts'
import {
  isOlder,
  type ParticipantPageQuery,
  type ReadingState,
  type SortValue,
  type StoredResponse,
  selectResponses,
} from '#server/statistics/selection/responses.store.ts'

/** Stored participant with its sort value and the state of reading. */
export type SortedResponse = StoredResponse & {
  value: SortValue
  reading: ReadingState | undefined
}
type SortedPageQuery = ParticipantPageQuery & {
  sorting: Sorting
  answeredVersions: readonly AnsweredVersion[]
}

/** SQL of a sorting: the sort value, an optional join and grouping, and the SQL form of a cursor's value. */
type SortKey = {
  value: RawBuilder<unknown>
  join?: RawBuilder<unknown>
  group?: RawBuilder<unknown>
  to_sql: (value: SortValue) => RawBuilder<unknown>
  /** Converts the value of a row to the value of a cursor. */
  read?: (value: SortValue) => SortValue
  /** Time of the last change of the value, for values that change. */
  moved_at?: RawBuilder<unknown>
}

const MS_PER_S = 1_000

const toInteger = (value: SortValue): RawBuilder<unknown> => sql`${value}::integer`

const BY_EMAIL: SortKey = {
  value: sql`lower(email) collate "C"`,
  to_sql: (value) => sql`${value}::text collate "C"`,
}
const BY_SCORE: SortKey = { value: sql`score`, to_sql: toInteger }

const URGENCY = sql.raw(
  DELIVERY_URGENCY.map((status, rank) => `when '${status}' then ${rank}`).join(' '),
)
/**
 * Sorts by the most urgent delivery of each participant. The join hashes many deliveries or looks up few.
 * `give_up_at` minus the maximum age gives the time when a delivery last began to wait.
 */
const byDelivery = (quiz_id: string): SortKey => ({
  value: sql`min(case delivery_status ${URGENCY} end)`,
  join: sql`left join (
    select participant_uuid as delivery_participant, status as delivery_status,
      greatest(settled_at, give_up_at - interval '${sql.raw(MAX_DELIVERY_AGE)}') as status_since
    from deliveries where quiz_id = ${quiz_id}
  ) as delivery on delivery_participant = participant_uuid`,
  group: sql`group by quiz_id, participant_uuid`,
  to_sql: toInteger,
  moved_at: sql`max(status_since)`,
})

/**
 * Sorts by the name of the result in the version taken, in the order of French dictionaries. A cursor contains
 * the name instead of its rank, because a new version may change the rank between two pages.
 */
const byResult = (
  answeredVersions: readonly AnsweredVersion[],
  after: SortValue | undefined,
): SortKey => {
  const places = answeredVersions.flatMap(({ version, snapshot }) =>
    snapshot.results.map(({ name }, position) => ({ version, position, name })),
  )
  const known = typeof after === 'string' ? [after] : []
  const names = inNameOrder([...places.map(({ name }) => name), ...known])
  const ranks = new Map(names.map((name, rank) => [name, rank]))
  const ranked = places.map(({ name, ...place }) => ({ ...place, rank: ranks.get(name) }))
  return {
    value: sql`result_rank.rank`,
    join: sql`left join jsonb_to_recordset(${JSON.stringify(ranked)}::jsonb)
      as result_rank(version integer, position smallint, rank integer)
      on result_rank.version = responses.version and result_rank.position = responses.result_position`,
    to_sql: (value) => toInteger(typeof value === 'string' ? (ranks.get(value) ?? null) : null),
    read: (value) => (typeof value === 'number' ? (names[value] ?? null) : null),
  }
}

const sortKey = (
  quiz_id: string,
  { sorting: { sort }, answeredVersions, after }: SortedPageQuery,
): SortKey => {
  if (sort === 'email') return BY_EMAIL
  if (sort === 'score') return BY_SCORE
  return sort === 'result' ? byResult(answeredVersions, after?.value) : byDelivery(quiz_id)
}

/**
 * Maximum commit delay and clock difference: rows that changed within this time before the first page count as
 * changed later.
 */
const SLACK_MS = 60_000

/**
 * Returns a page of participants sorted by a value other than the date; participants without a value come last.
 * Participants that changed since the first page are repeated after all others, so that none is missed. The
 * caller ensures that the selection is small, because all of it is read.
 */
export const listSorted = async (
  db: Db,
  quiz_id: string,
  query: SortedPageQuery,
): Promise<SortedResponse[]> => {
  const { condition = sql<boolean>`true`, after, limit, sorting } = query
  const {
    value,
    join = sql``,
    group = sql``,
    to_sql,
    read = (kept) => kept,
    moved_at,
  } = sortKey(quiz_id, query)
  const read_since = after?.reading?.read_since ?? Date.now()
  const direction = sql.raw(sorting.order)
  const beyond = sql.raw(sorting.order === 'asc' ? '>' : '<')
  const last = after?.value ?? null
  const isAfter = (): RawBuilder<boolean> => {
    if (!after) return sql<boolean>`true`
    if (after.reading?.is_again) return sql<boolean>`is_again and ${isOlder(after)}`
    if (last === null) return sql<boolean>`(is_again or (value is null and ${isOlder(after)}))`
    const at = to_sql(last)
    return sql<boolean>`(is_again or value is null or value ${beyond} ${at} or (value = ${at} and ${isOlder(after)}))`
  }
  const again =
    after && moved_at
      ? sql`union all select participant_uuid, created_at, null, true from sort_keys
          where moved_at > to_timestamp(${(read_since - SLACK_MS) / MS_PER_S}::double precision)`
      : sql``
  const ORDER = sql`is_again, value ${direction} nulls last, created_at desc, participant_uuid desc`
  // The query sorts keys only, and reads the replies of one page.
  const rows = await selectResponses(db)
    .innerJoin(
      sql<{ page_uuid: string; value: SortValue; is_again: boolean }>`(
        with sort_keys as materialized (
          select participant_uuid, created_at, ${value} as value, ${moved_at ?? sql`null`} as moved_at
          from responses ${join}
          where quiz_id = ${quiz_id} and ${condition} ${group}
        ), page_candidates as (
          select participant_uuid, created_at, value, false as is_again from sort_keys ${again}
        )
        select participant_uuid as page_uuid, value, is_again from page_candidates
        where ${isAfter()} order by ${ORDER} limit ${limit}
      )`.as('page'),
      (on) => on.onRef('page.page_uuid', '=', 'responses.participant_uuid'),
    )
    .select(['page.value', 'page.is_again'])
    .where('quiz_id', '=', quiz_id)
    .orderBy(ORDER)
    .execute()
  return rows.map(({ is_again, ...row }) => ({
    ...row,
    value: read(row.value),
    reading: moved_at && { read_since, is_again },
  }))
}
