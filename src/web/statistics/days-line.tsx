import type { KeyFiguresAnswer } from '#contract/key-figures.ts'
import { LineChart } from './charts/line.tsx'
import { groupDays } from './day-points.ts'
import { daysBefore } from './key-figure-words.ts'

/** The participants of each day, week or month as a line, over that of the period before. */
export const DaysLine = ({
  answer: { now, before, period_before },
}: {
  answer: KeyFiguresAnswer
}) => {
  const { unit, points, before: counts } = groupDays(now.days, before?.days)
  if (points.length === 0) return <p className="text-ink-2">Aucun participant ces jours-là.</p>
  return (
    <LineChart
      title={`Participants par ${unit}`}
      of={capital(unit)}
      points={points}
      before={before && period_before ? { counts, name: daysBefore(period_before) } : undefined}
    />
  )
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
