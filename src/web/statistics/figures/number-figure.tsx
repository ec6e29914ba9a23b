import type { Figures } from '#contract/statistics/figures.ts'
import type { NumberSummary } from '#domain/common/numbers.ts'
import type { QuestionStats } from '#domain/statistics/question-figures.ts'
import { ColumnChart } from '#web/statistics/charts/column-chart.tsx'
import { bandsOf, columnColors, type Tier } from '#web/statistics/charts/tier-bands.ts'
import { formatNumber, formatPercentageOf, formatShare } from '#web/statistics/format/format.ts'

/** Renders names with their values side by side. */
export const FigureList = ({
  figures,
}: {
  figures: readonly (readonly [name: string, value: string])[]
}) => (
  <ul className="flex flex-wrap gap-x-8 gap-y-2">
    {figures.map(([name, value]) => (
      <li key={name}>
        <p className="text-xs text-ink-3">{name}</p>
        <p className="font-medium tabular-nums">{value}</p>
      </li>
    ))}
  </ul>
)

type Figure = Figures['questions'][string]
type Props = {
  question: string
  figure: Pick<Figure, 'numbers' | 'recommendation' | 'nb_answered'>
  answers: QuestionStats['answers']
}

/**
 * Renders a scale as columns, with its mean. A scale from 0 to 10 also has its net promoter score and the three
 * groups.
 */
export const ScaleFigure = ({
  question,
  figure: { numbers, recommendation, nb_answered },
  answers,
}: Props) => (
  <div className="mt-3 flex flex-col gap-3">
    <ColumnChart
      title={question}
      noun="Note"
      total={nb_answered}
      columns={answers.map(({ answer_text, count }) => ({
        label: answer_text,
        count,
        color: recommendation ? groupColor(Number(answer_text)) : 0,
      }))}
    />
    {numbers && (
      <FigureList
        figures={[
          ['Moyenne', formatNumber(numbers.mean)],
          ['Médiane', formatNumber(numbers.median)],
          ...(recommendation ? groupsOf(recommendation) : []),
        ]}
      />
    )}
  </div>
)

const MIN_PASSIVE = 7
const MIN_PROMOTER = 9
/** Data colours of the three groups, which are named below the columns. */
const COLORS = { detractor: 1, passive: 6, promoter: 2 }

const groupColor = (note: number): number => {
  if (note >= MIN_PROMOTER) return COLORS.promoter
  return note >= MIN_PASSIVE ? COLORS.passive : COLORS.detractor
}

const groupsOf = ({
  net,
  nb_promoters,
  nb_passives,
  nb_detractors,
}: NonNullable<Figure['recommendation']>): [string, string][] => {
  const counts = [nb_promoters, nb_passives, nb_detractors]
  const total = nb_promoters + nb_passives + nb_detractors
  const [promoters = '', passives = '', detractors = ''] = counts.map(
    (count) => `${formatShare(count, total)} · ${formatPercentageOf(count, total)}`,
  )
  return [
    ['Recommandation nette (NPS)', `${net > 0 ? '+' : ''}${formatNumber(net)}`],
    ['Promoteurs (9 et 10)', promoters],
    ['Passifs (7 et 8)', passives],
    ['Détracteurs (0 à 6)', detractors],
  ]
}

/**
 * Renders mean, median, extremes and histogram of numbers; `total` is the number of participants who saw the
 * question.
 */
export const NumberFigure = ({
  title,
  noun,
  summary,
  total,
  tiers = [],
}: {
  title: string
  noun: string
  summary: NumberSummary
  total: number
  /** Tiers of the quiz if the numbers are scores; empty for other numbers. */
  tiers?: readonly Tier[]
}) => {
  const colors = columnColors(summary.histogram, tiers)
  const { count, mean, median, min, max, histogram } = summary
  const isWhole = histogram.every(({ from, to }) => to - from === 1 && Number.isInteger(from))
  return (
    <div className="flex flex-col gap-3">
      <FigureList
        figures={[
          ['Moyenne', formatNumber(mean)],
          ['Médiane', formatNumber(median)],
          ['Minimum', formatNumber(min)],
          ['Maximum', formatNumber(max)],
          ['Participants', formatShare(count, total)],
        ]}
      />
      <ColumnChart
        title={title}
        noun={noun}
        total={count}
        bands={bandsOf(histogram, tiers)}
        columns={histogram.map(({ from, to, count: bar_count }, rank) => ({
          label: isWhole
            ? formatNumber(from)
            : `de ${formatNumber(from)} à moins de ${formatNumber(to)}`,
          tick: formatNumber(from),
          count: bar_count,
          color: colors[rank],
        }))}
      />
    </div>
  )
}
