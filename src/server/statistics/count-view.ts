import type { Figures } from '#contract/figures.ts'
import { filterChoices } from '#domain/filter-choices.ts'
import { type QuestionStats, questionStats } from '#domain/statistics.ts'
import type { Db } from '#server/db/database.ts'
import type { BackgroundCounts, State } from './background-counts.ts'
import { type Counts, readCounters } from './counters.store.ts'
import { createKeptAnswers } from './kept-answers.ts'
import { createLargeCounts } from './large-counts.ts'
import { countMatching } from './matching.store.ts'
import { type Numbers, readFigures, sumOf } from './read-figures.ts'
import { type Asked, lookAgain, type View } from './read-view.ts'

/** The most selections whose counts are cached until their participants change. */
const MOST_KEPT = 200

type Stats = Record<string, QuestionStats>
type Counted = { stats: Stats; figures: Figures }
/** Of the moment that `as_of` names; without it, of now. */
type Known = {
  stats: Stats
  figures?: Figures
  as_of?: Pick<Figures, 'nb_all_participants' | 'choices'> & { counted_at: string | null }
}

const statsOf = ({ versions, choices, texts }: Counts, { taken }: View): Stats =>
  Object.fromEntries(questionStats(versions, choices, texts, taken))

/** Counts views: small ones at once, in the state they are read in; large ones behind the answer. */
export const createCounting = (background: BackgroundCounts) => {
  const keptCounts = createKeptAnswers<Counts>(MOST_KEPT)
  const keptNumbers = createKeptAnswers<Numbers>(MOST_KEPT)
  const countsOf = createLargeCounts<Counted>(background)

  const countLarge = (db: Db, asked: Asked): Promise<State & { value: Counted }> =>
    lookAgain(db, asked, async (state, view) => {
      const { quiz_id, condition, time_zone, taken, state_hash, removed } = view
      const counts = condition
        ? await countMatching(state, { quiz_id, condition, time_zone }, taken)
        : await readCounters(state, { quiz_id, time_zone }, taken)
      const figures = await readFigures(state, view, { counts })
      return { state_hash, removed, value: { stats: statsOf(counts, view), figures } }
    })

  return {
    /** The counts of a view that is not large, and its figures if wanted. */
    now: async (db: Db, view: View, has_figures: boolean): Promise<Known> => {
      const { quiz_id, condition, time_zone, taken } = view
      const counts = condition
        ? await keptCounts(view.key, view.state_hash, () =>
            countMatching(db, { quiz_id, condition, time_zone }, taken),
          )
        : await readCounters(db, { quiz_id, time_zone }, taken)
      const figures = has_figures && {
        figures: await readFigures(db, view, { counts, keptNumbers }),
      }
      return { stats: statsOf(counts, view), ...figures }
    },
    /**
     * The counts of a large view: those of its state, waited for; or, with `is_async`, the last known ones and
     * their time. 503 when the wait was too short; the count continues.
     */
    large: async (view: View, asked: Asked, is_async: boolean): Promise<Known> => {
      const { key, taken, state_hash, removed } = view
      const { value, as_of } = await countsOf(
        key,
        { state_hash, removed, creator_id: asked.creator_id, is_async },
        (db) => countLarge(db, asked),
      )
      if (!as_of) return value
      const nb_all_participants = sumOf(taken)
      const choices = filterChoices(taken)
      return { stats: {}, ...value, as_of: { ...as_of, nb_all_participants, choices } }
    },
  }
}

export type Counting = ReturnType<typeof createCounting>
