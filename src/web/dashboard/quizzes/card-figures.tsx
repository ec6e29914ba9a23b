import { Link } from 'react-router'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import { formatNumber } from '#web/statistics/format/format.ts'
import { resultColorStyle } from '#web/ui/result-colors.ts'
import { FIGURES_ROW, SPLIT_ROW } from './card-styles.ts'
import {
  daysText,
  formatExactShare,
  formatFinishedShare,
  type QuizFigures,
  resultsText,
  UNKNOWN_FIGURE,
} from './quiz-figures.ts'

type Props = {
  quiz: Quiz
  /** Null when the figures could not be read, undefined until they are read. */
  figures: QuizFigures | null | undefined
}

/** Renders the participants, the share of completed visits, the last thirty days and the distribution of results. */
export const CardFigures = ({ quiz, figures }: Props) => (
  <>
    <div className={`${FIGURES_ROW} tabular-nums`}>
      <CountLink quiz={quiz} />
      <FinishedShare figures={figures} />
      <StatisticsLink quiz={quiz} figures={figures} />
    </div>
    <div className={SPLIT_ROW}>
      {isSondage(quiz)
        ? 'Un sondage n’a pas de résultat.'
        : figures && <ResultsBar results={figures.results} />}
    </div>
  </>
)

const FIGURE = 'block text-xl leading-6 font-semibold text-ink'

const CountLink = ({ quiz: { id, name, nb_responses } }: Pick<Props, 'quiz'>) => {
  const count = formatNumber(nb_responses)
  const noun = nb_responses > 1 ? 'réponses' : 'réponse'
  return (
    <Link
      to={`/quiz/${id}/statistics`}
      aria-label={`${count} ${noun} — ${name}`}
      className="flex min-h-11 flex-col justify-end text-ink-2 underline-offset-2 hover:underline"
    >
      <span className={FIGURE}>{count}</span>{' '}
      <span className="leading-5 text-brand underline underline-offset-2">{noun}</span>
    </Link>
  )
}

/** Renders the link to the statistics by name, below the last thirty days. */
const StatisticsLink = ({ quiz: { id, name }, figures }: Props) => (
  <div className="relative ml-auto">
    {figures && <DaysLine days={figures.days} />}
    <Link
      to={`/quiz/${id}/statistics`}
      aria-label={`Statistiques — ${name}`}
      title={figures ? daysText(figures.days) : undefined}
      className="flex min-h-11 min-w-24 items-end justify-end leading-5 text-brand underline underline-offset-2"
    >
      Statistiques
    </Link>
  </div>
)

const FinishedShare = ({ figures }: Pick<Props, 'figures'>) => {
  const title = figures ? formatExactShare(figures) : 'Chiffres indisponibles'
  const share = figures ? formatFinishedShare(figures) : UNKNOWN_FIGURE
  return (
    <p
      title={title}
      className={`flex min-h-11 flex-col justify-end leading-5 text-ink-2 ${figures === undefined ? 'invisible' : ''}`}
    >
      <span className={FIGURE}>{share}</span> <span>terminent</span>
      {share === UNKNOWN_FIGURE && <span className="sr-only">{` (${title})`}</span>}
    </p>
  )
}

const LINE = { width: 96, height: 24, top: 4, bottom: 20, right: 92 }

/** Renders the participants per day as a line that ends in a point, today. The link below takes its clicks. */
const DaysLine = ({ days }: Pick<QuizFigures, 'days'>) => {
  const max = Math.max(1, ...days)
  const xOf = (rank: number): number => (rank * LINE.right) / Math.max(1, days.length - 1)
  const yOf = (count: number): number => LINE.bottom - (count / max) * (LINE.bottom - LINE.top)
  const points = days.map((count, rank) => `${xOf(rank).toFixed(1)},${yOf(count).toFixed(1)}`)
  const title = daysText(days)
  return (
    <svg
      role="img"
      aria-label={title}
      width={LINE.width}
      height={LINE.height}
      className="pointer-events-none absolute top-0 right-0 overflow-visible text-d1"
    >
      <title>{title}</title>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <circle cx={LINE.right} cy={yOf(days.at(-1) ?? 0)} r="3" fill="currentColor" />
    </svg>
  )
}

const ResultsBar = ({ results }: Pick<QuizFigures, 'results'>) => {
  if (results.length === 0) return 'Pas encore de résultat.'
  const text = resultsText(results)
  const keys = distinctKeys(results.map(({ result_name }) => result_name))
  return (
    <div
      role="img"
      aria-label={text}
      title={text}
      className="flex h-2 w-full gap-0.5 overflow-hidden rounded-full"
    >
      {results.map(({ count }, index) => (
        <span
          key={keys[index]}
          style={{ ...resultColorStyle(index), flexGrow: count }}
          className={`bg-(--result) forced-color-adjust-none ${count === 0 ? 'hidden' : ''}`}
        />
      ))}
    </div>
  )
}
