import type { Figures } from '#contract/figures.ts'
import { percentageOf } from '#domain/statistics.ts'
import { formatNumber, formatPercentage, formatShare } from './format.ts'

type Figure = Figures['questions'][string]

/** The mean of a scale and, from 0 to 10, its net recommendation with the three groups. */
export const ScaleFigure = ({
  figure: { numbers, recommendation },
}: {
  figure: Pick<Figure, 'numbers' | 'recommendation'>
}) => {
  if (!numbers) return null
  const figures: [name: string, value: string][] = [
    ['Moyenne', formatNumber(numbers.mean)],
    ['Médiane', formatNumber(numbers.median)],
    ...(recommendation ? groupsOf(recommendation) : []),
  ]
  return (
    <ul className="mt-4 flex flex-wrap gap-x-8 gap-y-2 border-t border-line pt-4">
      {figures.map(([name, value]) => (
        <li key={name}>
          <p className="text-xs text-ink-3">{name}</p>
          <p className="font-medium tabular-nums">{value}</p>
        </li>
      ))}
    </ul>
  )
}

const groupsOf = ({
  net,
  nb_promoters,
  nb_passives,
  nb_detractors,
}: NonNullable<Figure['recommendation']>): [string, string][] => {
  const total = nb_promoters + nb_passives + nb_detractors
  const share = (count: number): string =>
    `${formatShare(count, total)} · ${formatPercentage(percentageOf(count, total))}`
  return [
    ['Recommandation nette (NPS)', `${net > 0 ? '+' : ''}${formatNumber(net)}`],
    ['Promoteurs (9 et 10)', share(nb_promoters)],
    ['Passifs (7 et 8)', share(nb_passives)],
    ['Détracteurs (0 à 6)', share(nb_detractors)],
  ]
}
