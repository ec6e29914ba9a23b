import { sql } from 'kysely'
import type { ParticipantFilters } from '#contract/participant-filters.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import {
  filteredIds,
  filteredParameters,
  type MomentRange,
  momentsOfDays,
} from '#domain/statistics/filter-choices.ts'
import { filteredPercents } from '#domain/statistics/percent-filters.ts'
import { type Database, type Db, readInOneSnapshot } from '#server/db/database.ts'
import { isTimeOut } from '#server/db/database-error.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { findTimeZoneOfQuiz, loadQuiz } from '#server/quizzes/quizzes.store.ts'
import {
  countAnsweredVersions,
  listAnsweredVersions,
} from '#server/statistics/counters/counters.store.ts'
import {
  type CampaignChoice,
  readCampaignState,
  refuseFewReplies,
} from '#server/statistics/selection/campaign-filter.store.ts'
import {
  buildSelection,
  type Condition,
  isFiltered,
} from '#server/statistics/selection/participant-filters.ts'
import {
  countCertificates,
  countConfirmations,
} from '#server/statistics/selection/selection-sizes.store.ts'

/** Quiz, creator and filters of a view, and the signal that cancels the reading. */
export type StatisticsQuery = {
  quiz_id: string
  creator_id: string
  filters: ParticipantFilters
  signal?: AbortSignal | undefined
}
/** Participants of a quiz under some filters, in one database snapshot. */
export type View = {
  quiz_id: string
  condition: Condition | undefined
  /** True if there are too many participants to count them within the call. */
  is_many: boolean
  /** True if a filtered selection has too many rows to count within the request. */
  is_large: boolean
  answeredVersions: AnsweredVersion[]
  /** Campaigns of the quiz, by which participants can be filtered. */
  campaigns: CampaignChoice[]
  /** Normalized filters, and the hash of the counted state. */
  key: string
  state_hash: string
  /** Number of deleted participants of each version. */
  removed: readonly string[]
  /** Time zone of the creator, for the limits of days. */
  time_zone: string
  /** Period of the visits; null if other filters exclude participants. */
  moments: MomentRange | null
}

/** Statement timeout of a count, so that it does not slow other calls down. */
const MAX_COUNT_MS = 2_500

/** Maximum number of participants to count within a call; counting this many takes half a second. */
const MAX_COUNTED_AT_ONCE = 50_000

/**
 * Maximum number of answered versions of a quiz that are read outside the turn of the creator. A version may have a
 * megabyte.
 */
const MAX_QUICK_VERSIONS = 10

/** Settings for a count: more memory for groups, and no JIT, which takes longer than it saves. */
const COUNT_SETTINGS = `set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`
const COUNT_STATEMENT = `select set_config('statement_timeout', '${MAX_COUNT_MS}', true), ${COUNT_SETTINGS}`
/** Settings for a background count, which the database cancels when its connection is closed. */
const BACKGROUND_COUNT_SETTINGS = `select ${COUNT_SETTINGS}, set_config('client_connection_check_interval', '1s', true)`

/** Creates the 503 error of a count that takes too long. */
export const createCountTimeoutError = (): ApiError =>
  new ApiError(
    503,
    'too_slow',
    'Cette sélection est trop grande pour être comptée : choisissez moins de participants',
  )

const viewOf = async (
  db: Db,
  { quiz_id, filters }: Pick<StatisticsQuery, 'quiz_id' | 'filters'>,
  answeredVersions: AnsweredVersion[],
): Promise<View> => {
  const { from, to, ...others } = filters
  const time_zone = await findTimeZoneOfQuiz(db, quiz_id)
  const selection = await buildSelection(db, quiz_id, { filters, time_zone }, answeredVersions)
  const { campaigns, has_anonymous } = await readCampaignState(db, quiz_id)
  if (has_anonymous) await refuseFewReplies(db, quiz_id, selection?.condition)
  const all = answeredVersions.reduce((sum, { nb_responses }) => sum + nb_responses, 0)
  const is_many =
    (selection ? Math.min(all, await selection.upperBound()) : all) > MAX_COUNTED_AT_ONCE
  /** Participants are only added and removed, so these two numbers per version identify a state. */
  const states = answeredVersions.map(
    ({ version, nb_responses, nb_deleted }) => `${version} ${nb_responses} ${nb_deleted}`,
  )
  // A certificate is created after its response.
  const certificates = filters.certificate
    ? [`certificates ${await countCertificates(db, quiz_id)}`]
    : []
  // A confirmation changes counts, but no number of participants.
  const confirmations = JSON.stringify(await countConfirmations(db, quiz_id))
  return {
    quiz_id,
    answeredVersions,
    campaigns,
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
      filteredIds(others.answer),
      filteredIds(others.tier),
      filteredPercents(others.percent),
      others.certificate,
      others.confirmation,
      others.campaign,
      others.group,
      filteredParameters(others.parameters),
    ]),
    state_hash: states.sort().concat(certificates, confirmations).join(),
    removed: answeredVersions.map(({ version, nb_deleted }) => `${version} ${nb_deleted}`),
  }
}

/** Reads the current participants of a view on a connection with a longer timeout. */
export const recountWithLongerTimeout = <T>(
  db: Db,
  query: Pick<StatisticsQuery, 'quiz_id' | 'filters'>,
  readFigures: (db: Db, view: View) => Promise<T>,
): Promise<T> =>
  readInOneSnapshot(db, async (state) => {
    await sql.raw(BACKGROUND_COUNT_SETTINGS).execute(state)
    const answeredVersions = await listAnsweredVersions(state, query.quiz_id)
    return readFigures(state, await viewOf(state, query, answeredVersions))
  })

/** Function that reads a view. Each process has a single reader, because all calls share its concurrency limit. */
export type ReadView = ReturnType<typeof createViewReader>

/**
 * Creates the function that reads a view of a quiz in one database snapshot. Throws a 404 if the quiz is absent
 * or belongs to another creator. Counts are heavy reads with a timeout, in the turn of their creator. Quizzes with many
 * answered versions are read in turn too.
 */
export const createViewReader = ({
  db,
  heavyReads,
  heavyWork,
}: Pick<Database, 'db' | 'heavyReads'> & { heavyWork: Pick<HeavyWork, 'run'> }) => {
  const read = <T>(
    db: Db,
    { quiz_id, creator_id, filters, signal }: StatisticsQuery,
    {
      is_counted,
      readFigures,
    }: { is_counted: boolean; readFigures: (db: Db, view: View) => Promise<T> },
  ): Promise<T> =>
    readInOneSnapshot(
      db,
      async (state) => {
        await loadQuiz(state, { quiz_id, creator_id })
        const answeredVersions = await listAnsweredVersions(state, quiz_id)
        if (is_counted) await sql.raw(COUNT_STATEMENT).execute(state)
        return readFigures(state, await viewOf(state, { quiz_id, filters }, answeredVersions))
      },
      signal,
    )

  return async <T>(
    query: StatisticsQuery,
    readFigures: (db: Db, view: View) => Promise<T>,
    is_counted = isFiltered(query.filters),
  ): Promise<T> => {
    const { quiz_id, creator_id, signal } = query
    const job = { kind: 'figures', owner: creator_id, size: 1, signal } as const
    try {
      if (is_counted)
        return await heavyWork.run(job, () =>
          heavyReads.run((source) => read(source.db, query, { is_counted, readFigures })),
        )
      const nb_versions = await countAnsweredVersions(db, { quiz_id, creator_id })
      const readNow = () => read(db, query, { is_counted, readFigures })
      return await (nb_versions > MAX_QUICK_VERSIONS ? heavyWork.run(job, readNow) : readNow())
    } catch (error) {
      throw is_counted && isTimeOut(error) ? createCountTimeoutError() : error
    }
  }
}
