import { type RawBuilder, sql } from 'kysely'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import { DELIVERY_URGENCY, inNameOrder, type Sorting } from '#domain/statistics/participant-sort.ts'
import type { Db } from '#server/db/database.ts'
import {
  isOlder,
  type ParticipantPageQuery,
  type Reading,
  type SortValue,
  type StoredResponse,
  selectResponses,
} from '#server/statistics/selection/responses.store.ts'

export type SortedResponse = StoredResponse & { value: SortValue; reading: Reading | undefined }
type Asked = ParticipantPageQuery & { sorting: Sorting; taken: readonly AnsweredVersion[] }

/** How rows are sorted: by `value`, which may take a `join`, and which `to_sql` writes of a cursor's. */
type SortKey = {
  value: RawBuilder<unknown>
  join?: RawBuilder<unknown>
  group?: RawBuilder<unknown>
  to_sql: (value: SortValue) => RawBuilder<unknown>
  /** The value as a cursor has it, where it is another than that of the row. */
  read?: (value: SortValue) => SortValue
  /** When the value of a participant last changed, where it does. */
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
 * The most urgent delivery of each participant; joined, so that few are looked up and many are hashed. A delivery is given
 * up so long after it began to wait, for the first time or again.
 */
const byDelivery = (quiz_id: string): SortKey => ({
  value: sql`min(case became ${URGENCY} end)`,
  join: sql`left join (
    select participant_uuid as sent_uuid, status as became,
      greatest(settled_at, give_up_at - interval '${sql.raw(MAX_DELIVERY_AGE)}') as became_at
    from deliveries where quiz_id = ${quiz_id}
  ) as sent on sent_uuid = participant_uuid`,
  group: sql`group by quiz_id, participant_uuid`,
  to_sql: toInteger,
  moved_at: sql`max(became_at)`,
})

/**
 * Results by what they were called in the version that was taken, in the order of French dictionaries. A cursor
 * has the name, not its rank, which another version may change between two pages.
 */
const byResult = (taken: readonly AnsweredVersion[], after: SortValue | undefined): SortKey => {
  const places = taken.flatMap(({ version, snapshot }) =>
    snapshot.results.map(({ name }, position) => ({ version, position, name })),
  )
  const known = typeof after === 'string' ? [after] : []
  const names = inNameOrder([...places.map(({ name }) => name), ...known])
  const ranks = new Map(names.map((name, rank) => [name, rank]))
  const ranked = places.map(({ name, ...place }) => ({ ...place, rank: ranks.get(name) }))
  return {
    value: sql`named.rank`,
    join: sql`left join jsonb_to_recordset(${JSON.stringify(ranked)}::jsonb)
      as named(version integer, position smallint, rank integer)
      on named.version = responses.version and named.position = responses.result_position`,
    to_sql: (value) => toInteger(typeof value === 'string' ? (ranks.get(value) ?? null) : null),
    read: (value) => (typeof value === 'number' ? (names[value] ?? null) : null),
  }
}

const sortKey = (quiz_id: string, { sorting: { sort }, taken, after }: Asked): SortKey => {
  if (sort === 'email') return BY_EMAIL
  if (sort === 'score') return BY_SCORE
  return sort === 'result' ? byResult(taken, after?.value) : byDelivery(quiz_id)
}

/** What is written by then is seen, and clocks agree that much. */
const SLACK_MS = 60_000

/**
 * One page of participants by anything but their date: those without such a value last, equal ones newest first.
 * A participant that moved since the first page may have moved to a place that was read before, and is listed again after
 * all others: none is missed, some come twice. It reads all that the condition leaves, so its caller sees to it that
 * these are few enough.
 */
export const listSorted = async (
  db: Db,
  quiz_id: string,
  asked: Asked,
): Promise<SortedResponse[]> => {
  const { condition = sql<boolean>`true`, after, limit, sorting } = asked
  const {
    value,
    join = sql``,
    group = sql``,
    to_sql,
    read = (kept) => kept,
    moved_at,
  } = sortKey(quiz_id, asked)
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
      ? sql`union all select participant_uuid, created_at, null, true from keys
          where moved_at > to_timestamp(${(read_since - SLACK_MS) / MS_PER_S}::double precision)`
      : sql``
  const ORDER = sql`is_again, value ${direction} nulls last, created_at desc, participant_uuid desc`
  // Only keys are sorted: what participants said is read of one page.
  const rows = await selectResponses(db)
    .innerJoin(
      sql<{ listed_uuid: string; value: SortValue; is_again: boolean }>`(
        with keys as materialized (
          select participant_uuid, created_at, ${value} as value, ${moved_at ?? sql`null`} as moved_at
          from responses ${join}
          where quiz_id = ${quiz_id} and ${condition} ${group}
        ), listed as (
          select participant_uuid, created_at, value, false as is_again from keys ${again}
        )
        select participant_uuid as listed_uuid, value, is_again from listed
        where ${isAfter()} order by ${ORDER} limit ${limit}
      )`.as('page'),
      (on) => on.onRef('page.listed_uuid', '=', 'responses.participant_uuid'),
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
