import { sql } from 'kysely'
import { imagesOf } from '#domain/questionnaire/images.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { layoutOf } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { createLruCache } from '#server/runtime/lru-cache.ts'

/** One frozen version; undefined when there is none of that number. */
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

/** Some frozen versions of a quiz whose owner is known, in no order, and how long their JSON is. */
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

export type VersionRow = {
  version: number
  published_at: string
  nb_responses: number
  snapshot: Snapshot
}

/**
 * The versions of a quiz before one of them, newest first: at most `most`, and no more than weigh `most_bytes` as they
 * are stored (compressed), but at least two, which can be compared. The quiz's owner is known.
 */
export const listVersions = async (
  db: Db,
  quiz_id: string,
  { before, most, most_bytes }: { before: number; most: number; most_bytes: number },
): Promise<VersionRow[]> => {
  const { rows } = await sql<VersionRow>`
    select version, published_at, nb_responses, snapshot
    from (
      select *, row_number() over newest as rank, sum(pg_column_size(snapshot)) over newest as bytes
      from (
        select version, published_at, nb_responses, snapshot from quiz_versions
        where quiz_id = ${quiz_id} and version < ${before}
        order by version desc limit ${most}
      ) as listed
      window newest as (order by version desc)
    ) as weighed
    where rank <= 2 or bytes <= ${most_bytes}
    order by version desc
  `.execute(db)
  return rows
}

/**
 * Keeps a snapshot as the next version of a quiz and returns its number. The caller holds the lock of the quiz; two
 * publications of one creator come after each other.
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

/** Bytes that the versions of a quiz, and those of all quizzes of its creator, take as they are stored (compressed). */
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
    ) as weighed
  `.execute(db)
  return rows[0] ?? { quiz_bytes: 0, creator_bytes: 0 }
}

const HELD_BY = {
  result: (id: string) => ({ results: [{ id }] }),
  question: (id: string) => ({ questions: [{ id }] }),
}

/** Whether a result or a question is one of some version of a quiz, taken or not; its owner is known. */
export const wasEverPublished = async (
  db: Db,
  quiz_id: string,
  kind: keyof typeof HELD_BY,
  id: string,
): Promise<boolean> => {
  const part = JSON.stringify(HELD_BY[kind](id))
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
 * The question of each of these ids, which are those of answers or of questions, in any version of a quiz, taken or not;
 * its owner is known. What never was one of the quiz is left out.
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

/** Bytes of JSON; what was parsed from it weighs some times as much. */
const LARGEST_MEMORY = 16_777_216

type Kept = { snapshot: Snapshot; bytes: number }

/**
 * Gives how to find frozen versions of a quiz whose owner is known, by their numbers; those that are missing are left
 * out. A snapshot never changes, so those last asked for stay in memory, parsed; callers do not write into them.
 */
export const createVersionCache = (largest_memory = LARGEST_MEMORY) => {
  const memory = createLruCache<Kept>(largest_memory, ({ bytes }) => bytes)
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

/** One memory for the whole process: figures, exports and all that is sent read the same versions. */
export const findCachedVersions = createVersionCache()

/** One version of those; undefined when there is none of that number. */
export const findCachedVersion = async (
  db: Db,
  quiz_id: string,
  version: number,
): Promise<Snapshot | undefined> => (await findCachedVersions(db, quiz_id, [version])).get(version)
