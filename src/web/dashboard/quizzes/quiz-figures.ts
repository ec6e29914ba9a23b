import type { QuizOverview } from '#contract/statistics/statistics.ts'
import { formatNumber, formatPercentageOf, formatShare } from '#web/statistics/format/format.ts'

/** The figures of one quiz. */
export type QuizFigures = Omit<QuizOverview, 'id'>
type VisitTotals = Pick<QuizFigures, 'nb_participants' | 'nb_opened'>

/** Shown in place of a figure that cannot be computed. */
export const UNKNOWN_FIGURE = '–'

/** The figures of a quiz that was created after the figures were read. */
export const NO_FIGURES: QuizFigures = {
  nb_participants: 0,
  nb_opened: 0,
  nb_delivered: 0,
  days: [],
  results: [],
  has_unpublished_changes: false,
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/**
 * Returns the participants as a whole percentage of the visits that opened the quiz: '74 %'; '–' without such a
 * visit.
 */
export const formatFinishedShare = ({ nb_participants, nb_opened }: VisitTotals): string =>
  nb_opened === 0 ? UNKNOWN_FIGURE : formatPercentageOf(nb_participants, nb_opened, 0)

/** Returns the share of completed visits as on the statistics screen: '2 sur 3 · 66,7 %'. */
export const formatExactShare = ({ nb_participants, nb_opened }: VisitTotals): string =>
  nb_opened === 0
    ? 'Aucune ouverture comptée'
    : `${formatShare(nb_participants, nb_opened)} · ${formatPercentageOf(nb_participants, nb_opened)}`

/** Returns the text of the line of days. */
export const daysText = (days: readonly number[]): string => {
  const all = sumOf(days)
  if (all === 0) return 'Aucune réponse en 30 jours'
  const max = Math.max(...days)
  return `${formatNumber(all)} ${all > 1 ? 'réponses' : 'réponse'} en 30 jours, ${formatNumber(max)} au plus en un jour`
}

/** Returns the text of the bar of results: each name and its share. */
export const resultsText = (results: QuizFigures['results']): string => {
  const all = sumOf(results.map(({ count }) => count))
  const shares = results.map(
    ({ result_name, count }) => `${result_name} ${formatPercentageOf(count, all)}`,
  )
  return `Répartition des résultats : ${shares.join(', ')}`
}

/** Returns the totals of several quizzes, each as a number and the words after it. */
export const formatTotals = (
  quizzes: readonly QuizFigures[],
): { key: string; value: string; words: string; title?: string }[] => {
  const recent = sumOf(quizzes.flatMap(({ days }) => days))
  const nb_delivered = sumOf(quizzes.map((quiz) => quiz.nb_delivered))
  const visited = {
    nb_participants: sumOf(quizzes.map((quiz) => quiz.nb_participants)),
    nb_opened: sumOf(quizzes.map((quiz) => quiz.nb_opened)),
  }
  return [
    {
      key: 'recent',
      value: formatNumber(recent),
      words: `${recent > 1 ? 'réponses' : 'réponse'} en 30 jours`,
    },
    {
      key: 'finished',
      value: formatFinishedShare(visited),
      words: 'vont au bout',
      title: formatExactShare(visited),
    },
    {
      key: 'delivered',
      value: formatNumber(nb_delivered),
      words: nb_delivered > 1 ? 'contacts envoyés' : 'contact envoyé',
    },
  ]
}
