import type { KeyFiguresAnswer } from '#contract/statistics/key-figures.ts'
import { comparisonOf } from '#domain/statistics/periods.ts'
import { LineChart } from '#web/statistics/charts/line-chart.tsx'
import { currentZone, type NamedTimeZone, withZone } from '#web/ui/moments.ts'
import { groupDays } from './day-points.ts'
import { daysBefore } from './key-figure-labels.ts'

/** Renders the participants of each day, week or month as a line, with a line of the earlier days. */
export const DaysLine = ({
  answer,
  zone = currentZone(),
}: {
  answer: KeyFiguresAnswer
  zone?: NamedTimeZone
}) => {
  const { now, before } = answer
  const comparison = comparisonOf(answer)
  const { unit, points, before: counts } = groupDays(now.days, before?.days)
  if (points.length === 0) return <p className="text-ink-2">Aucun participant ces jours-là.</p>
  return (
    <LineChart
      title={withZone(`Participants par ${unit}`, zone)}
      noun={capital(unit)}
      points={points}
      before={before && comparison ? { counts, name: daysBefore(comparison) } : undefined}
    />
  )
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
