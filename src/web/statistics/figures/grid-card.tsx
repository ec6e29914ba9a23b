import type { Figures } from '#contract/statistics/figures.ts'
import type { QuestionStats } from '#domain/statistics/question-figures.ts'
import { ChartTable } from '#web/statistics/charts/chart-table.tsx'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import { formatNumber, formatPercentageOf } from '#web/statistics/format/format.ts'
import { fillClass } from '#web/ui/result-colors.ts'
import '#web/statistics/charts/charts.css'

/** Row of a grid: its question, the share of each column, and the mean of a scale. */
type Row = { text: string; shares: string[]; percentages: number[]; mean: string | null }

/** Minimum opacity of a segment, so that the first column stays visible. */
const MIN_OPACITY = 0.2

const opacityOf = (rank: number, count: number): number =>
  count < 2 ? 1 : MIN_OPACITY + ((1 - MIN_OPACITY) * rank) / (count - 1)

const meanOf = (figure: Figures['questions'][string] | undefined): string | null =>
  figure?.type === 'scale' && figure.numbers
    ? formatNumber(Number(figure.numbers.mean.toFixed(1)))
    : null

/** Renders a grid as a stacked bar for each question, with the mean of a scale or the largest share of a choice. */
export const GridCard = ({
  grid: { title, questions },
  stats,
  figures,
}: {
  grid: Figures['grids'][number]
  stats: Record<string, QuestionStats>
  figures: Figures
}) => {
  const columns = [
    ...new Set(
      questions.flatMap((id) => stats[id]?.answers.map((answer) => answer.answer_text) ?? []),
    ),
  ]
  const rows = questions.flatMap((id): Row[] => {
    const stat = stats[id]
    if (!stat) return []
    const nb_answered = figures.questions[id]?.nb_answered ?? 0
    const cells = columns.map((column) =>
      stat.answers.find((answer) => answer.answer_text === column),
    )
    return [
      {
        text: stat.question_text,
        shares: cells.map((cell) => (cell ? formatPercentageOf(cell.count, nb_answered) : '–')),
        percentages: cells.map((cell) => cell?.percentage ?? 0),
        mean: meanOf(figures.questions[id]),
      },
    ]
  })
  const name = title ?? 'Grille'
  const hasMeans = rows.some(({ mean }) => mean !== null)
  const column_keys = distinctKeys(columns)
  const row_keys = distinctKeys(rows.map(({ text }) => text))
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-xl bg-card p-4 shadow-card sm:p-5 lg:col-span-2">
      <h3 className="font-medium wrap-anywhere" dir="auto">
        {name}
      </h3>
      <ul aria-label="Réponses" className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2">
        {columns.map((column, rank) => (
          <li key={column_keys[rank]} className="flex items-baseline gap-1.5">
            <svg aria-hidden="true" className="size-3 shrink-0 self-center">
              <rect
                width="100%"
                height="100%"
                rx={2}
                fillOpacity={opacityOf(rank, columns.length)}
                className={fillClass(0)}
              />
            </svg>
            <span className="wrap-anywhere" dir="auto">
              {column}
            </span>
          </li>
        ))}
      </ul>
      <ul className="flex flex-col gap-3">
        {rows.map((row, index) => (
          <li key={row_keys[index]} className="flex break-inside-avoid flex-col gap-1">
            <span className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="min-w-0 wrap-anywhere" dir="auto">
                {row.text}
              </span>
              <span className="ml-auto text-ink-2 tabular-nums">{summaryOf(row, columns)}</span>
            </span>
            <StackedBar percentages={row.percentages} keys={column_keys} />
          </li>
        ))}
      </ul>
      <ChartTable
        title={name}
        heads={['Question', ...columns, ...(hasMeans ? ['Moyenne'] : [])]}
        rows={rows.map(({ text, shares, mean }) => ({
          head: text,
          cells: [...shares, ...(hasMeans ? [mean ?? '–'] : [])],
        }))}
      />
    </article>
  )
}

/** Returns the mean of a scale, or the largest share of a choice with its answer. */
const summaryOf = ({ shares, percentages, mean }: Row, columns: readonly string[]): string => {
  if (mean !== null) return `Moyenne ${mean}`
  const largest = Math.max(...percentages)
  const rank = percentages.indexOf(largest)
  return largest > 0 ? `${columns[rank]} ${shares[rank]}` : 'Aucune réponse'
}

/** Draws the shares side by side. Hidden from screen readers, because the table has every share. */
const StackedBar = ({
  percentages,
  keys,
}: {
  percentages: readonly number[]
  keys: readonly string[]
}) => (
  <svg aria-hidden="true" className="block h-4 w-full">
    <rect width="100%" height="100%" rx={4} className="fill-press" />
    {percentages.map((share, rank) => (
      <rect
        key={keys[rank]}
        x={`${percentages.slice(0, rank).reduce((sum, percentage) => sum + percentage, 0)}%`}
        width={`${share}%`}
        height="100%"
        fillOpacity={opacityOf(rank, percentages.length)}
        stroke="var(--color-card)"
        strokeWidth={share > 0 ? 2 : 0}
        className={fillClass(0)}
      />
    ))}
  </svg>
)
