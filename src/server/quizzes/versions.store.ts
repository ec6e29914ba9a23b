import { sql } from 'kysely'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { type ReplyContent, replyContent } from '#server/db/reply-contents.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { measureHeapBytes } from '#server/runtime/heap-bytes.ts'
import { createSharedWork } from '#server/runtime/shared-work.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import type { VersionContent } from '#server/version-tasks/freeze-draft.ts'

/** Returns the snapshot of one version; undefined if the quiz has no version with this number. */
export const findVersion = async (
  db: Db,
  quiz_id: string,
  version: number,
): Promise<Snapshot | undefined> => {
  const row = await db
    .selectFrom('quiz_versions')
    .select('snapshot')
    .where('quiz_id', '=', quiz_id)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.snapshot
}

/** Version of a quiz with its number of participants. */
export type VersionRow = {
  version: number
  published_at: string
  nb_responses: number
  snapshot: Snapshot
}

/**
 * Lists the versions before `before`, newest first: at most `limit`, and at most `max_bytes` of compressed
 * snapshots. At least two are returned if they exist, so that they can be compared. The caller has checked the
 * owner.
 */
export const listVersions = async (
  db: Db,
  quiz_id: string,
  { before, limit, max_bytes }: { before: number; limit: number; max_bytes: number },
): Promise<VersionRow[]> => {
  const { rows } = await sql<VersionRow>`
    select version, published_at, nb_responses, snapshot
    from (
      select *, row_number() over newest_first as rank, sum(pg_column_size(snapshot)) over newest_first as bytes
      from (
        select version, published_at, nb_responses, snapshot from quiz_versions
        where quiz_id = ${quiz_id} and version < ${before}
        order by version desc limit ${limit}
      ) as page_versions
      window newest_first as (order by version desc)
    ) as sized_versions
    where rank <= 2 or bytes <= ${max_bytes}
    order by version desc
  `.execute(db)
  return rows
}

/**
 * Stores a version as the next one of a quiz and returns its number. The caller has locked the quiz.
 * Publications of one creator run one after the other.
 */
export const insertVersion = async (
  db: Db,
  { quiz_id, creator_id }: { quiz_id: string; creator_id: string },
  content: VersionContent,
): Promise<number> => {
  const lock = `versions ${creator_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db)
  const { last } = await db
    .selectFrom('quiz_versions')
    .select(({ fn }) => fn.max('version').as('last'))
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirstOrThrow()
  const version = (last ?? 0) + 1
  await db
    .insertInto('quiz_versions')
    .values({ quiz_id, version, ...content })
    .execute()
  return version
}

/** Returns the compressed size in bytes of the versions of a quiz, and of all versions of its creator. */
export const measureVersionBytes = async (
  db: Db,
  { quiz_id, creator_id }: { quiz_id: string; creator_id: string },
): Promise<{ quiz_bytes: number; creator_bytes: number }> => {
  const { rows } = await sql<{ quiz_bytes: number; creator_bytes: number }>`
    select coalesce(sum(bytes) filter (where quiz_id = ${quiz_id}), 0)::bigint as quiz_bytes,
      coalesce(sum(bytes), 0)::bigint as creator_bytes
    from (
      select quiz_id, pg_column_size(snapshot) as bytes from quiz_versions
      where quiz_id in (select id from all_quizzes where creator_id = ${creator_id})
    ) as sized_versions
  `.execute(db)
  return rows[0] ?? { quiz_bytes: 0, creator_bytes: 0 }
}

const CONTAINMENT_FILTERS = {
  result: (id: string) => ({ results: [{ id }] }),
  question: (id: string) => ({ questions: [{ id }] }),
  dimension: (id: string) => ({ dimensions: [{ id }] }),
}

/** Returns true if any version of a quiz contains the result, question or dimension. The caller has checked the owner. */
export const wasEverPublished = async (
  db: Db,
  quiz_id: string,
  kind: keyof typeof CONTAINMENT_FILTERS,
  id: string,
): Promise<boolean> => {
  const part = JSON.stringify(CONTAINMENT_FILTERS[kind](id))
  const found = await db
    .selectFrom('quiz_versions')
    .select('version')
    .where('quiz_id', '=', quiz_id)
    .where(sql<boolean>`snapshot @> ${part}::jsonb`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Maps ids of answers and questions to the id of their question, searching all versions of a quiz. Unknown ids
 * are left out. The caller has checked the owner.
 */
export const findQuestionIdsInVersions = async (
  db: Db,
  quiz_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; question_id: string }>`
    select distinct id, question ->> 'id' as question_id
    from quiz_versions cross join lateral jsonb_array_elements(snapshot -> 'questions') as question
    join unnest(${ids}::text[]) as id on question ->> 'id' = id
      or question -> 'answers' @> jsonb_build_array(jsonb_build_object('id', id))
    where quiz_id = ${quiz_id}
  `.execute(db)
  return new Map(rows.map(({ id, question_id }) => [id, question_id]))
}

/**
 * Maps ids of tiers to the id of their dimension, searching all versions of a quiz. Unknown ids are left out. The
 * caller has checked the owner.
 */
export const findDimensionIdsInVersions = async (
  db: Db,
  quiz_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; dimension_id: string }>`
    select distinct id, dimension ->> 'id' as dimension_id
    from quiz_versions cross join lateral jsonb_array_elements(snapshot -> 'dimensions') as dimension
    join unnest(${ids}::text[]) as id
      on dimension -> 'tiers' @> jsonb_build_array(jsonb_build_object('id', id))
    where quiz_id = ${quiz_id}
  `.execute(db)
  return new Map(rows.map(({ id, dimension_id }) => [id, dimension_id]))
}

/** Maximum size in memory of each cache. */
const MAX_CACHE_BYTES = 33_554_432

/** Reads the content of one version; undefined if the quiz has no version with this number. */
type ReadVersion<Content> = (
  db: Db,
  quiz_id: string,
  version: number,
) => Promise<Content | undefined>

/**
 * Creates a function that returns the contents of versions of a quiz by number, without missing versions. Parsed
 * contents are cached because they never change; callers must not modify them. Versions are read one by one, and calls
 * share the versions that another call still uses.
 */
export const createVersionCache = <Content extends object>(
  readVersion: ReadVersion<Content>,
  max_bytes = MAX_CACHE_BYTES,
) => {
  const memory = createLruCache<{ content: Content; bytes: number }>(
    max_bytes,
    ({ bytes }) => bytes,
  )
  /** Versions that a call may still use after they have left the cache. */
  const used = new Map<string, WeakRef<Content>>()
  const unused = new FinalizationRegistry<string>((key) => {
    if (!used.get(key)?.deref()) used.delete(key)
  })
  const share = createSharedWork<Content | undefined>()

  const read = async (
    db: Db,
    key: string,
    [quiz_id, version]: [string, number],
  ): Promise<Content | undefined> => {
    const pause = yieldToEventLoop()
    const content = await readVersion(db, quiz_id, version)
    if (!content) return undefined
    await pause()
    memory.set(key, { content, bytes: measureHeapBytes(content) })
    used.set(key, new WeakRef(content))
    unused.register(content, key)
    await pause()
    return content
  }

  return async (
    db: Db,
    quiz_id: string,
    versions: readonly number[],
  ): Promise<Map<number, Content>> => {
    const found = new Map<number, Content>()
    for (const version of versions) {
      const key = `${quiz_id} ${version}`
      const known = memory.get(key)?.content ?? used.get(key)?.deref()
      const content = known ?? (await share({ key }, () => read(db, key, [quiz_id, version])))
      if (content) found.set(version, content)
    }
    return found
  }
}

/** Finds whole versions through one cache for the whole process, because pages, exports and deliveries read the same. */
export const findCachedVersions = createVersionCache(findVersion)

/** Returns the snapshot of one version through the cache; undefined if the quiz has no version with this number. */
export const findCachedVersion = async (
  db: Db,
  quiz_id: string,
  version: number,
): Promise<Snapshot | undefined> => (await findCachedVersions(db, quiz_id, [version])).get(version)

/** Returns the parts of one version that figures and replies need. Undefined if the quiz has no version with this number. */
const findReplyContent: ReadVersion<ReplyContent> = async (db, quiz_id, version) => {
  const row = await db
    .selectFrom('quiz_versions')
    .select(sql<ReplyContent>`(${replyContent()})`.as('content'))
    .where('quiz_id', '=', quiz_id)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.content
}

/**
 * Finds the parts of versions that figures need, through one cache for the whole process. Texts of pages are neither
 * read nor kept, because figures read all versions of a quiz. The caller has checked the owner.
 */
export const findReplyContents = createVersionCache(findReplyContent)
