import { useState } from 'react'
import type { Figures } from '#contract/statistics/figures.ts'
import { sortParameterNames } from '#domain/questionnaire/parameters.ts'
import { BarChart, type BarLine } from '#web/statistics/charts/bar-chart.tsx'
import { type FilterToggles, parameterTitle } from '#web/statistics/filters/filters.ts'
import { formatPercentageOf, formatShare } from '#web/statistics/format/format.ts'
import { Button } from '#web/ui/button.tsx'
import { FigureCard } from './figure-card.tsx'

type Source = Figures['sources'][number]
type Props = {
  figures: Figures
  toggles: FilterToggles
  /** Names of the filtered parameters, whose lines stay even if no participant has a value any more. */
  parameters?: readonly string[]
}

const NONE = { nb_participants: 0, values: [], nb_others: 0 }

/** Returns the parameters of the participants, and the filtered ones. */
const sourcesOf = ({ figures: { sources }, parameters = [] }: Props): Source[] =>
  sortParameterNames([...sources.map(({ name }) => name), ...parameters]).map(
    (name) => sources.find((source) => source.name === name) ?? { name, ...NONE },
  )

/** Number of values of a parameter that are visible at first. */
const MAX_INITIAL_VALUES = 6

/** Renders the origins of participants, from the parameters of their page's address. */
export const Sources = (props: Props) => {
  const { figures, toggles } = props
  const sources = sourcesOf(props)
  if (sources.length === 0) return null
  return (
    <FigureCard id="sources" title="Sources">
      <p className="text-ink-2">
        Ce que disait l’adresse par laquelle les participants sont arrivés.
      </p>
      <div className="grid min-w-0 gap-x-8 gap-y-5 lg:grid-cols-2">
        {sources.map((source) => (
          <Values
            key={source.name}
            source={source}
            total={figures.nb_participants}
            toggles={toggles}
          />
        ))}
      </div>
    </FigureCard>
  )
}

const Values = ({
  source: { name, nb_participants, values, nb_others },
  total,
  toggles,
}: {
  source: Source
  total: number
  toggles: FilterToggles
}) => {
  const [isWhole, setWhole] = useState(false)
  const without = total - nb_participants
  const line = (text: string, count: number, value?: string): BarLine => ({
    text,
    count,
    figureText: `${formatShare(count, total)} · ${formatPercentageOf(count, total)}`,
    filter: value === undefined ? undefined : toggles.byParameter([name, value], count),
  })
  const shown = isWhole ? values : values.slice(0, MAX_INITIAL_VALUES)
  const lines = [
    ...shown.map(({ value, count }) => line(value, count, value)),
    ...(nb_others > 0 && shown.length === values.length ? [line('Autres valeurs', nb_others)] : []),
    ...(without > 0 ? [line(`Sans ${name}`, without, '')] : []),
  ]
  return (
    <section aria-label={parameterTitle(name)} className="flex min-w-0 flex-col items-start">
      <h3 className="font-medium wrap-anywhere">{parameterTitle(name)}</h3>
      <BarChart toolbarLabel={`Filtrer par ${name}`} total={total} lines={lines} />
      {values.length > MAX_INITIAL_VALUES && (
        <Button
          variant="ghost"
          className="mt-1 print:hidden"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Montrer moins de valeurs' : `Montrer les ${values.length} valeurs`}
        </Button>
      )}
    </section>
  )
}
