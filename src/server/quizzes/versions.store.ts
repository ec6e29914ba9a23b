import { sql } from 'kysely'
import { imagesOf } from '#domain/questionnaire/images.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { layoutOf } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { createLruCache } from '#server/runtime/caches.ts'

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

/**
 * Returns the given versions of a quiz in no particular order, with the size of their JSON. The caller has
 * checked the owner.
 */
export const findVersions = async (
  db: Db,
  quiz_id: string,
  versions: readonly number[],
): Promise<{ version: number; snapshot: Snapshot; bytes: number }[]> => {
  const rows = await db
    .selectFrom('quiz_versions')
    .select(['version', sql<string>`snapshot::text`.as('json')])
    .where('quiz_id', '=', quiz_id)
    .where('version', 'in', versions)
    .execute()
  return rows.map(({ version, json }) => ({
    ...{ version, snapshot: JSON.parse(json) as Snapshot },
    bytes: Buffer.byteLength(json),
  }))
}

/** Version of a quiz with its number of participants. */
export type VersionRow = {
  version: number
  published_at: string
  nb_responses: number
  snapshot: Snapshot
}

/**
 * Lists the versions before `before`, newest first: at most `most`, and at most `most_bytes` of compressed
 * snapshots. At least two are returned if they exist, so that they can be compared. The caller has checked the
 * owner.
 */
export const listVersions = async (
  db: Db,
  quiz_id: string,
  { before, most, most_bytes }: { before: number; most: number; most_bytes: number },
): Promise<VersionRow[]> => {
  const { rows } = await sql<VersionRow>`
    select version, published_at, nb_responses, snapshot
    from (
      select *, row_number() over newest_first as rank, sum(pg_column_size(snapshot)) over newest_first as bytes
      from (
        select version, published_at, nb_responses, snapshot from quiz_versions
        where quiz_id = ${quiz_id} and version < ${before}
        order by version desc limit ${most}
      ) as page_versions
      window newest_first as (order by version desc)
    ) as sized_versions
    where rank <= 2 or bytes <= ${most_bytes}
    order by version desc
  `.execute(db)
  return rows
}

/**
 * Stores a snapshot as the next version of a quiz and returns its number. The caller has locked the quiz.
 * Publications of one creator run one after the other.
 */
export const insertVersion = async (
  db: Db,
  { quiz_id, creator_id }: { quiz_id: string; creator_id: string },
  snapshot: Snapshot,
): Promise<number> => {
  const lock = `versions ${creator_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db)
  const { last } = await db
    .selectFrom('quiz_versions')
    .select(({ fn }) => fn.max('version').as('last'))
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirstOrThrow()
  const version = (last ?? 0) + 1
  const layout = layoutOf(snapshot)
  await db
    .insertInto('quiz_versions')
    .values({
      ...{ quiz_id, version, snapshot: JSON.stringify(snapshot) },
      image_ids: [...imagesOf(snapshot).keys()],
      choice_questions: layout.choice_questions,
      text_questions: layout.text_questions,
    })
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
      where quiz_id in (select id from quizzes where creator_id = ${creator_id})
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

/** Maximum size of the JSON of cached snapshots in bytes. The parsed objects take several times as much. */
const MAX_CACHE_BYTES = 16_777_216

type CachedSnapshot = { snapshot: Snapshot; bytes: number }

/**
 * Creates a function that returns versions of a quiz by number, without missing versions. Parsed snapshots are
 * cached because they never change; callers must not modify them.
 */
export const createVersionCache = (max_bytes = MAX_CACHE_BYTES) => {
  const memory = createLruCache<CachedSnapshot>(max_bytes, ({ bytes }) => bytes)
  return async (
    db: Db,
    quiz_id: string,
    versions: readonly number[],
  ): Promise<Map<number, Snapshot>> => {
    const keyOf = (version: number): string => `${quiz_id} ${version}`
    const found = new Map<number, Snapshot>()
    for (const version of versions) {
      const known = memory.get(keyOf(version))
      if (known) found.set(version, known.snapshot)
    }
    const unknown = versions.filter((version) => !found.has(version))
    if (unknown.length === 0) return found
    for (const { version, ...kept } of await findVersions(db, quiz_id, unknown)) {
      memory.set(keyOf(version), kept)
      found.set(version, kept.snapshot)
    }
    return found
  }
}

/**
 * Finds versions through one cache for the whole process, because figures, exports and deliveries read the same
 * versions.
 */
export const findCachedVersions = createVersionCache()

/** Returns the snapshot of one version through the cache; undefined if the quiz has no version with this number. */
export const findCachedVersion = async (
  db: Db,
  quiz_id: string,
  version: number,
): Promise<Snapshot | undefined> => (await findCachedVersions(db, quiz_id, [version])).get(version)
