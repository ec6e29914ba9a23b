import { Users } from 'lucide-react'
import type { Figures } from '#contract/statistics/figures.ts'
import { BarChart } from '#web/statistics/charts/bar-chart.tsx'
import type { Tier } from '#web/statistics/charts/tier-bands.ts'
import type { FilterToggles } from '#web/statistics/filters/filters.ts'
import { formatNumber, formatPercentageOf, formatShare } from '#web/statistics/format/format.ts'
import { goToSection } from '#web/statistics/report/section-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { FigureCard } from './figure-card.tsx'
import { NumberFigure } from './number-figure.tsx'

type Props = { figures: Figures; toggles: FilterToggles }

/** Renders the figures of all participants: results, scores, consent and confirmations. */
export const Overview = ({ figures, toggles }: Props) => {
  const { scores, nb_participants } = figures
  return (
    <div className="grid min-w-0 gap-5 lg:grid-cols-2">
      {figures.results.length > 0 && <ResultShares figures={figures} toggles={toggles} />}
      {scores && (
        <FigureCard id="scores" title="Répartition des scores">
          <NumberFigure
            title="Répartition des scores"
            noun="Score"
            summary={scores}
            total={nb_participants}
            tiers={tiersOf(figures)}
          />
        </FigureCard>
      )}
      {figures.consent && (
        <FigureCard id="consent" title="Accord pour l’envoi à vos outils">
          <p className="tabular-nums">{consentText(figures.consent)}</p>
        </FigureCard>
      )}
      {figures.confirmation && (
        <FigureCard id="confirmation" title="Confirmation des adresses">
          <p className="tabular-nums">{confirmationText(figures.confirmation)}</p>
        </FigureCard>
      )}
    </div>
  )
}

const ResultShares = ({ figures: { results, nb_participants }, toggles }: Props) => (
  <FigureCard id="results" title="Répartition des résultats">
    <BarChart
      toolbarLabel="Filtrer par résultat"
      total={nb_participants}
      lines={results.map(({ result_name, count, filter }, index) => ({
        text: result_name,
        count,
        figureText: `${formatShare(count, nb_participants)} · ${formatPercentageOf(count, nb_participants)}`,
        color: index,
        filter: toggles.byChoice('result', filter, count),
      }))}
    />
    {results.some(({ filter, count }) => toggles.byChoice('result', filter, count)?.isOn) && (
      <Button
        variant="ghost"
        icon={<Users aria-hidden="true" />}
        className="self-start print:hidden"
        onClick={() => goToSection('participants')}
      >
        Voir ses participants
      </Button>
    )}
  </FigureCard>
)

/** Returns the tiers in the colours of their results. */
const tiersOf = ({ tiers, results }: Figures): Tier[] =>
  tiers.map(({ result_name, ...tier }, rank) => {
    const index = results.findIndex((result) => result.result_name === result_name)
    return { name: result_name, ...tier, color: index < 0 ? rank : index }
  })

const consentText = ({ nb_asked, nb_agreed }: NonNullable<Figures['consent']>): string =>
  `${formatShare(nb_agreed, nb_asked)} ${nb_asked > 1 ? 'participants ont' : 'participant a'} accepté · ${formatPercentageOf(nb_agreed, nb_asked)}`

const confirmationText = ({
  nb_asked,
  nb_confirmed,
  nb_waiting,
  nb_expired,
}: NonNullable<Figures['confirmation']>): string =>
  [
    `${formatShare(nb_confirmed, nb_asked)} ${nb_asked > 1 ? 'adresses confirmées' : 'adresse confirmée'} · ${formatPercentageOf(nb_confirmed, nb_asked)}`,
    ...(nb_waiting > 0 ? [`${formatNumber(nb_waiting)} à confirmer`] : []),
    ...(nb_expired > 0
      ? [`${formatNumber(nb_expired)} non ${nb_expired > 1 ? 'confirmées' : 'confirmée'}`]
      : []),
  ].join(' · ')
