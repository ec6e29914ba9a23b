import type { Figures } from '#contract/statistics/figures.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import { numberSummary } from '#domain/statistics/figures.ts'
import { type QuestionStats, questionStats } from '#domain/statistics/question-figures.ts'
import { type RightSetCount, rightSlots } from '#domain/statistics/right-answers.ts'
import type { Db } from '#server/db/database.ts'
import {
  type Counts,
  listFrequentTexts,
  listVisitedVersions,
  readCounters,
  type VersionTotals,
  withSnapshots,
} from '#server/statistics/counters/counters.store.ts'
import type { Condition } from '#server/statistics/selection/participant-filters.ts'
import { type BackgroundCounts, createLargeCounts, type State } from './background-counts.ts'
import { choicesOf, type FigureCounts, figuresOf, type Numbers, sumOf } from './compute-figures.ts'
import { createCountCache } from './count-cache.ts'
import { countSelected, searchSelected } from './count-selection.store.ts'
import { recountWithLongerTimeout, type StatisticsQuery, type View } from './read-view.ts'
import { countRightSets } from './right-sets.store.ts'

/** Maximum number of different values of a number question that has a summary; the export contains all values. */
const MAX_DISTINCT_NUMBERS = 20_000

/** Counts of a selection without the contents of the versions, so that they may be kept. */
type SelectionCounts = Omit<Counts, 'versions'> & { selected: VersionTotals[] }

/** Caches of the counts that have no counters. */
type KeptCounts = {
  numbers: ReturnType<typeof createCountCache<Numbers>>
  right_sets: ReturnType<typeof createCountCache<RightSetCount[]>>
}

const totalsOf = (versions: readonly AnsweredVersion[]): VersionTotals[] =>
  versions.map(({ version, nb_responses, nb_deleted = 0 }) => ({
    version,
    nb_responses,
    nb_deleted,
  }))

const withoutVersions = ({ versions, ...counts }: Counts): SelectionCounts => ({
  ...counts,
  selected: totalsOf(versions),
})

/** Adds the contents of the versions to counts. Counts of versions outside `answeredVersions` are left out. */
const withVersions = (
  { selected, ...counts }: SelectionCounts,
  answeredVersions: readonly AnsweredVersion[],
): Counts => {
  const known = new Map(answeredVersions.map((version) => [version.version, version]))
  return {
    ...counts,
    versions: selected.flatMap((totals) => {
      const one = known.get(totals.version)
      return one ? [{ ...one, ...totals }] : []
    }),
  }
}

/** Reads the counts that the figures of a view need beyond those of its selection, in the same database snapshot. */
const readFigureCounts = async (
  db: Db,
  view: View,
  { counts, count_caches }: { counts: Counts; count_caches?: KeptCounts },
): Promise<FigureCounts> => {
  const questions = counts.versions.flatMap(({ snapshot }) => snapshot.questions)
  const asking_numbers = [
    ...new Set(questions.filter(({ type }) => type === 'number').map(({ id }) => id)),
  ]
  const read = (): Promise<Numbers> => readNumbers(db, view, asking_numbers)
  const numbers =
    view.condition && count_caches
      ? await count_caches.numbers(view.key, view.state_hash, read)
      : await read()
  const readSets = () => countRightSets(db, view, counts.versions)
  const right_sets = count_caches
    ? await count_caches.right_sets(view.key, view.state_hash, readSets)
    : await readSets()
  const visits = view.moments && (await listVisitedVersions(db, view.quiz_id, view.moments))
  return { numbers, right_sets, visits }
}

const readNumbers = async (
  db: Db,
  { quiz_id, condition }: View,
  question_ids: string[],
): Promise<Numbers> => {
  if (question_ids.length === 0) return new Map()
  const limit = MAX_DISTINCT_NUMBERS + 1
  const texts = condition
    ? await searchSelected(db, { quiz_id, condition }, { question_ids, search: '', limit })
    : await listFrequentTexts(db, quiz_id, question_ids, limit)
  const texts_by_question = Map.groupBy(texts, ({ question_id }) => question_id)
  return new Map(
    [...texts_by_question].map(([id, numbers]) => [
      id,
      numbers.length > MAX_DISTINCT_NUMBERS ? null : numberSummary(numbers),
    ]),
  )
}

type Stats = Record<string, QuestionStats>
/** Counts of a large view, with the totals of all versions at the time of the count. */
type LargeCounts = {
  versionTotals: VersionTotals[]
  counts: SelectionCounts
  figure_counts: FigureCounts
}
/** Counts as of the moment in `as_of`, or current counts without it. */
type ViewCounts = {
  stats: Stats
  figures?: Figures
  as_of?: Pick<Figures, 'nb_all_participants' | 'choices'> & { counted_at: string | null }
}

const statsOf = ({ versions, choices, texts }: Counts): Stats =>
  Object.fromEntries(questionStats(versions, choices, texts))

/**
 * Creates the counter of views. Small views are counted at once in the snapshot of the call; large views are
 * counted in the background. Kept counts are numbers and replies; the contents of versions are added at each call.
 */
export const createViewCounter = (database: Db, background: BackgroundCounts) => {
  const { memory } = background
  const keptCounts = createCountCache<SelectionCounts>(memory, 'selections')
  const count_caches: KeptCounts = {
    numbers: createCountCache(memory, 'numbers'),
    right_sets: createCountCache(memory, 'right sets'),
  }
  const countsOf = createLargeCounts<LargeCounts>(background, 'views')

  const countLarge = (db: Db, query: StatisticsQuery): Promise<State & { value: LargeCounts }> =>
    recountWithLongerTimeout(db, query, async (state, view) => {
      const { quiz_id, condition, time_zone, answeredVersions, state_hash, removed } = view
      const counts = condition
        ? await countSelected(state, { quiz_id, condition, time_zone }, answeredVersions)
        : await readCounters(state, { quiz_id, time_zone }, answeredVersions)
      const value = {
        versionTotals: totalsOf(answeredVersions),
        counts: withoutVersions(counts),
        figure_counts: await readFigureCounts(state, view, { counts }),
      }
      return { state_hash, removed, value }
    })

  return {
    /**
     * Returns true if the counts of a view take too long for a call. Figures of several right answers have no counters,
     * so that they read all participants.
     */
    isLarge: ({ is_large, is_many, answeredVersions }: View, has_figures: boolean): boolean =>
      is_large || (has_figures && is_many && rightSlots(answeredVersions).length > 0),
    /** Returns the counts of a small view, and its figures if `has_figures`. */
    now: async (db: Db, view: View, has_figures: boolean): Promise<ViewCounts> => {
      const { quiz_id, condition, time_zone, answeredVersions } = view
      const count = async (selected: Condition): Promise<SelectionCounts> =>
        withoutVersions(
          await countSelected(db, { quiz_id, condition: selected, time_zone }, answeredVersions),
        )
      const counts = condition
        ? withVersions(
            await keptCounts(view.key, view.state_hash, () => count(condition)),
            answeredVersions,
          )
        : await readCounters(db, { quiz_id, time_zone }, answeredVersions)
      const figures = has_figures && {
        figures: figuresOf(
          view,
          counts,
          await readFigureCounts(db, view, { counts, count_caches }),
        ),
      }
      return { stats: statsOf(counts), ...figures }
    },
    /**
     * Waits for the counts of a large view. With `is_async`, returns the last known counts and their time at
     * once. Throws a 503 if the wait was too short; the count continues.
     */
    large: async (view: View, query: StatisticsQuery, is_async: boolean): Promise<ViewCounts> => {
      const { key, quiz_id, state_hash, removed } = view
      const { value, as_of } = await countsOf(
        key,
        { state_hash, removed, creator_id: query.creator_id, is_async },
        (db) => countLarge(db, query),
      )
      // Versions that were published during the count are not in the view.
      const answeredVersions = value
        ? await withSnapshots(database, quiz_id, value.versionTotals)
        : []
      const counts = value && withVersions(value.counts, answeredVersions)
      const known = counts && {
        stats: statsOf(counts),
        figures: figuresOf({ ...view, answeredVersions }, counts, value.figure_counts),
      }
      if (known && !as_of) return known
      const nb_all_participants = sumOf(view.answeredVersions)
      const choices = choicesOf(view)
      return {
        stats: {},
        ...known,
        as_of: { counted_at: null, ...as_of, nb_all_participants, choices },
      }
    },
  }
}

/** Counter of views. */
export type ViewCounter = ReturnType<typeof createViewCounter>
