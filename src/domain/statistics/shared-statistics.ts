import type { QuestionType } from '#domain/common/vocabulary.ts'
import type { DimensionFigures } from './dimension-figures.ts'
import type { QuestionFigures, QuestionStats } from './question-figures.ts'
import type { RightAnswerFigures } from './right-answers.ts'
import { type Source, sharedSources } from './sources.ts'

/** Minimum number of participants of shared figures, for the quiz and for each question (docs/decisions/038). */
export const MIN_SHARED_PARTICIPANTS = 5

/** Token of a shared link: 144 bits as base64url. */
export const SHARED_TOKEN = /^[\w-]{24}$/

/** Returns the path of shared statistics. */
export const sharedStatisticsPath = (token: string): string => `/statistiques/${token}`

/** Figures that describe all participants together and contain no typed text; of the sources, only UTM parameters. */
export const SHARED_PARTS = {
  nb_participants: true,
  results: true,
  days: true,
  scores: true,
  tiers: true,
  dimensions: true,
  right_answers: true,
  duration: true,
  visits: true,
  sources: true,
  grids: true,
} as const

type SharedPart = keyof typeof SHARED_PARTS
type Whole = Record<SharedPart, unknown> & {
  nb_participants: number
  results: readonly { count: number; filter?: string | undefined }[]
  visits: readonly object[] | null
  sources: readonly Source[]
  dimensions: readonly DimensionFigures[]
  right_answers: readonly RightAnswerFigures[]
  questions: Record<string, QuestionFigures>
}
type SharedStatistics<F extends Whole> = {
  stats: Record<string, QuestionStats>
  figures: Pick<F, SharedPart> & { questions: Record<string, QuestionFigures> }
}

/** Removes the filter of a line, because it contains an id. */
const withoutFilter = <L extends { filter?: string | undefined }>({
  filter: _filter,
  ...line
}: L): Omit<L, 'filter'> => line

/** Types whose replies are texts of the creator. All other replies are typed by participants. */
const SHARED_TYPES: ReadonlySet<QuestionType> = new Set(['multiple_choice', 'scale'])

/**
 * Returns the figures of a shared link; null with too few participants. Questions with typed replies or too few
 * replies keep only their participant counts. Shared figures are named one by one, so that a new figure stays
 * private.
 */
export const sharedStatistics = <F extends Whole>({
  stats,
  figures,
}: {
  stats: Record<string, QuestionStats>
  figures: F
}): SharedStatistics<F> | null => {
  if (figures.nb_participants < MIN_SHARED_PARTICIPANTS) return null
  const { nb_participants, days, scores, tiers, duration, grids } = figures
  const visits = figures.visits?.map((visit) => ({ ...visit, nb_confirmed: null })) ?? null
  const results = figures.results.map(withoutFilter)
  const sources = sharedSources(figures.sources, MIN_SHARED_PARTICIPANTS)
  const dimensions = figures.dimensions
    .filter((dimension) => dimension.nb_participants >= MIN_SHARED_PARTICIPANTS)
    .map((dimension) => ({ ...dimension, tiers: dimension.tiers.map(withoutFilter) }))
  const right_answers = figures.right_answers.filter(
    ({ nb_answered }) => nb_answered >= MIN_SHARED_PARTICIPANTS,
  )
  const counts = {
    nb_participants,
    results,
    days,
    scores,
    tiers,
    dimensions,
    right_answers,
    duration,
    visits,
    sources,
    grids,
  }
  const parts = counts as Pick<F, SharedPart>
  const shared: SharedStatistics<F> = { stats: {}, figures: { ...parts, questions: {} } }
  for (const [id, { question_text, answers }] of Object.entries(stats)) {
    const figure = figures.questions[id]
    if (!figure) continue
    const isShown = SHARED_TYPES.has(figure.type) && figure.nb_answered >= MIN_SHARED_PARTICIPANTS
    shared.stats[id] = { question_text, answers: isShown ? answers.map(withoutFilter) : [] }
    shared.figures.questions[id] = {
      type: figure.type,
      takes_several: figure.takes_several,
      nb_participants: figure.nb_participants,
      nb_seen: figure.nb_seen,
      nb_answered: figure.nb_answered,
      nb_distinct: null,
      others: [],
      numbers: isShown ? figure.numbers : null,
      recommendation: isShown ? figure.recommendation : null,
    }
  }
  return shared
}
