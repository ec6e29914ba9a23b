import type { QuestionType } from '#domain/common/vocabulary.ts'
import type { QuestionFigures, QuestionStats } from './question-figures.ts'
import { type Source, sharedSources } from './sources.ts'

/**
 * A shared link shows nothing that fewer participants than this gave: neither the figures of a quiz nor
 * the answers to a question (docs/decisions/039).
 */
export const MIN_SHARED_PARTICIPANTS = 5

/** The tokens of shared links: 144 bits in the letters of base64url. */
export const SHARED_TOKEN = /^[\w-]{24}$/

/** Where a browser opens shared figures. */
export const sharedStatisticsPath = (token: string): string => `/statistiques/${token}`

/** The figures that speak of all participants together, and hold nothing that one of them wrote; of sources, utm alone. */
export const SHARED_PARTS = {
  nb_participants: true,
  results: true,
  days: true,
  scores: true,
  tiers: true,
  duration: true,
  visits: true,
  sources: true,
} as const

type SharedPart = keyof typeof SHARED_PARTS
type Whole = Record<SharedPart, unknown> & {
  nb_participants: number
  results: readonly { count: number; filter?: string | undefined }[]
  sources: readonly Source[]
  questions: Record<string, QuestionFigures>
}
type Shared<F extends Whole> = {
  stats: Record<string, QuestionStats>
  figures: Pick<F, SharedPart> & { questions: Record<string, QuestionFigures> }
}

/** A filter holds an id, and shared statistics show none. */
const withoutFilter = <L extends { filter?: string | undefined }>({
  filter: _filter,
  ...line
}: L): Omit<L, 'filter'> => line

/** Their replies are of what the creator wrote; any other kind is what a participant typed, were it a number or a day. */
const CHOSEN: ReadonlySet<QuestionType> = new Set(['multiple_choice', 'scale'])

/**
 * The figures as a shared link gives them; null of too few participants. Of a question that participants
 * type a reply to, or that too few answered, the counts of participants stay and the replies go. What is shared is named, so
 * that a new figure stays private until it is added here.
 */
export const sharedStatistics = <F extends Whole>({
  stats,
  figures,
}: {
  stats: Record<string, QuestionStats>
  figures: F
}): Shared<F> | null => {
  if (figures.nb_participants < MIN_SHARED_PARTICIPANTS) return null
  const { nb_participants, days, scores, tiers, duration, visits } = figures
  const results = figures.results.map(withoutFilter)
  const sources = sharedSources(figures.sources, MIN_SHARED_PARTICIPANTS)
  const counts = { nb_participants, results, days, scores, tiers, duration, visits, sources }
  const parts = counts as Pick<F, SharedPart>
  const shared: Shared<F> = { stats: {}, figures: { ...parts, questions: {} } }
  for (const [id, { question_text, answers }] of Object.entries(stats)) {
    const figure = figures.questions[id]
    if (!figure) continue
    const isShown = CHOSEN.has(figure.type) && figure.nb_answered >= MIN_SHARED_PARTICIPANTS
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
