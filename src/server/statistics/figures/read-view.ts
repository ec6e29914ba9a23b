import { sql } from 'kysely'
import type { ParticipantFilters } from '#contract/figures.ts'
import { type MomentRange, momentsOfDays } from '#domain/common/time-zone.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import { filteredAnswers } from '#domain/statistics/filter-choices.ts'
import { filteredParameters } from '#domain/statistics/sources.ts'
import { findTimeZoneOfQuiz } from '#server/account/time-zone.store.ts'
import type { Db } from '#server/db/database.ts'
import { isTimeOut } from '#server/db/database-error.ts'
import { ApiError, unavailable } from '#server/http/edge/errors.ts'
import { readInOneSnapshot } from '#server/quizzes/draft.store.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { createConcurrencyLimit } from '#server/runtime/concurrency-limit.ts'
import { listAnsweredVersions } from '#server/statistics/counters/counters.store.ts'
import {
  buildSelection,
  type Condition,
  isFiltered,
} from '#server/statistics/selection/participant-filters.ts'

/** Creator, quiz and filters of a view, and the signal that ends reading it. */
export type Asked = {
  quiz_id: string
  creator_id: string
  filters: ParticipantFilters
  signal?: AbortSignal | undefined
}
export type View = {
  quiz_id: string
  condition: Condition | undefined
  /** Whether its participants are too many to be counted one by one within the call. */
  is_many: boolean
  /** The same of a selection, of which no counters are kept. */
  is_large: boolean
  taken: AnsweredVersion[]
  /** The filters of the condition, and the state it is read in. */
  key: string
  state_hash: string
  /** How many were deleted, of each version. */
  removed: readonly string[]
  /** Time zone of the creator, in which days begin and end. */
  time_zone: string
  /** Moments between which visits are counted; null under filters that exclude some participants. */
  moments: MomentRange | null
}

/** The time-out of a count, so that it does not slow other calls down. */
const LONGEST_COUNT_MS = 2_500

/** Counts under way that a call waits for. */
const COUNT_LIMIT = {
  ...{ at_once: 3, at_once_per_key: 2 },
  ...{ most_waiting: 50, most_waiting_per_key: 10 },
  refusal: unavailable,
}

/** A count of this many participants takes half a second. */
const MOST_AT_ONCE = 50_000

/** More memory for the groups of a count, and no JIT, which takes longer than it saves. */
const ROOM = `set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`
const COUNTING = `select set_config('statement_timeout', '${LONGEST_COUNT_MS}', true), ${ROOM}`
/** Lets the database cancel a count whose connection was closed. */
const COUNTING_APART = `select ${ROOM}, set_config('client_connection_check_interval', '1s', true)`

/** 503: counting would take too long. */
export const createCountTimeoutError = (): ApiError =>
  new ApiError(
    503,
    'too_slow',
    'Cette sélection est trop grande pour être comptée : choisissez moins de participants',
  )

const viewOf = async (
  db: Db,
  { quiz_id, filters }: Pick<Asked, 'quiz_id' | 'filters'>,
  taken: AnsweredVersion[],
): Promise<View> => {
  const { from, to, ...others } = filters
  const time_zone = await findTimeZoneOfQuiz(db, quiz_id)
  const selection = await buildSelection(db, quiz_id, { filters, time_zone }, taken)
  const all = taken.reduce((sum, { nb_responses }) => sum + nb_responses, 0)
  const is_many = (selection ? Math.min(all, await selection.most()) : all) > MOST_AT_ONCE
  /** Participants only come and go: so many of each is one state. */
  const states = taken.map(
    ({ version, nb_responses, nb_deleted }) => `${version} ${nb_responses} ${nb_deleted}`,
  )
  return {
    quiz_id,
    taken,
    condition: selection?.condition,
    is_many,
    is_large: selection !== undefined && is_many,
    time_zone,
    moments: isFiltered(others) ? null : momentsOfDays(filters, time_zone),
    key: JSON.stringify([
      quiz_id,
      time_zone,
      from,
      to,
      others.email,
      others.result,
      filteredAnswers(others.answer),
      filteredParameters(others.parameters),
    ]),
    state_hash: states.sort().join(),
    removed: taken.map(({ version, nb_deleted }) => `${version} ${nb_deleted}`),
  }
}

/** The same participants as they are now, read on a connection with a longer time-out. */
export const recountWithLongerTimeout = <T>(
  db: Db,
  asked: Pick<Asked, 'quiz_id' | 'filters'>,
  look: (db: Db, view: View) => Promise<T>,
): Promise<T> =>
  readInOneSnapshot(db, async (state) => {
    await sql.raw(COUNTING_APART).execute(state)
    const taken = await listAnsweredVersions(state, asked.quiz_id)
    return look(state, await viewOf(state, asked, taken))
  })

/** Reads a view of a quiz. Created once a process, because all calls share its limit. */
export type ReadView = ReturnType<typeof createViewReader>

/**
 * Reads a quiz of the creator on one state of the database; 404 when it is absent or another's. Counts that are not
 * cached have a time-out and a concurrency limit in which creators take turns, so that no filter slows others down.
 */
export const createViewReader = (db: Db) => {
  const limit = createConcurrencyLimit(COUNT_LIMIT)

  const read = <T>(
    { quiz_id, creator_id, filters, signal }: Asked,
    is_counted: boolean,
    look: (db: Db, view: View) => Promise<T>,
  ): Promise<T> =>
    readInOneSnapshot(
      db,
      async (state) => {
        await loadQuiz(state, { quiz_id, creator_id })
        const taken = await listAnsweredVersions(state, quiz_id)
        if (is_counted) await sql.raw(COUNTING).execute(state)
        return look(state, await viewOf(state, { quiz_id, filters }, taken))
      },
      signal,
    )

  return async <T>(
    asked: Asked,
    look: (db: Db, view: View) => Promise<T>,
    is_counted = isFiltered(asked.filters),
  ): Promise<T> => {
    try {
      return is_counted
        ? await limit({ key: asked.creator_id, signal: asked.signal }, () =>
            read(asked, true, look),
          )
        : await read(asked, false, look)
    } catch (error) {
      throw is_counted && isTimeOut(error) ? createCountTimeoutError() : error
    }
  }
}
