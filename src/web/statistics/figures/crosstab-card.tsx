import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Crosstab } from '#domain/statistics/crosstab.ts'
import { Heatmap } from '#web/statistics/charts/heatmap.tsx'
import type { Filters } from '#web/statistics/filters/filters.ts'
import { formatParticipants } from '#web/statistics/format/format.ts'
import { crosstabQuery } from '#web/statistics/queries.ts'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { CountingText, FigureCard, LoadedFigure } from './figure-card.tsx'

const TITLE = 'Qui répond quoi'
const RESULTS = 'result'

type Side = { value: string; label: string }
type Props = {
  quizId: string
  filters: Filters
  results: readonly unknown[]
  questions: readonly { id: string; text: string }[]
  dimensions: readonly { id: string; name: string }[]
}

/** Renders the answers to a question or the tiers of a dimension by result, or by another question or dimension. */
export const CrosstabCard = ({ quizId, filters, results, questions, dimensions }: Props) => {
  const sides: Side[] = [
    ...(results.length > 0 ? [{ value: RESULTS, label: 'Résultats' }] : []),
    ...questions.map(({ id, text }) => ({ value: id, label: text })),
    ...dimensions.map(({ id, name }) => ({ value: id, label: `Dimension ${name}` })),
  ]
  const hasDetails = questions.length + dimensions.length > 0
  return sides.length < 2 || !hasDetails ? null : (
    <FigureCard
      id="who-answers-what"
      title={TITLE}
      action={<HelpLink about="tableau croisé" page="croiser-et-filtrer#qui-repond-quoi" />}
    >
      <Table quizId={quizId} filters={filters} sides={sides} />
    </FigureCard>
  )
}

const Table = ({
  quizId,
  filters,
  sides,
}: Pick<Props, 'quizId' | 'filters'> & { sides: Side[] }) => {
  const [chosen, choose] = useState<{ rows?: string; columns?: string }>({})
  const has = (value: string | undefined): value is string =>
    sides.some((side) => side.value === value)
  // A chosen question may have disappeared with the last participant of its version.
  const columns = has(chosen.columns) ? chosen.columns : (sides[0]?.value ?? '')
  const others = sides.filter(({ value }) => value !== columns)
  const rows = has(chosen.rows) && chosen.rows !== columns ? chosen.rows : (others[0]?.value ?? '')
  const query = useQuery(crosstabQuery(quizId, { rows, columns }, filters))
  const table = query.isPlaceholderData ? undefined : query.data?.table
  const shown =
    table &&
    `Tableau : ${table.rows.text}, par ${table.columns.text}, ${formatParticipants(table.nb_participants)}`
  // Announced after a choice only, because the first table is part of the screen.
  useEffect(() => {
    if (chosen.columns && shown) announceToScreenReader(shown)
  }, [chosen, shown])
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2 print:hidden">
        <Select
          label="Lignes"
          value={rows}
          options={others}
          onChange={(value) => choose({ rows: value, columns })}
        />
        <Select
          label="Colonnes"
          value={columns}
          options={sides}
          onChange={(value) => choose({ rows, columns: value })}
        />
      </div>
      <LoadedFigure query={query} height="min-h-48">
        {({ table }) => (table ? <Crossed table={table} /> : <CountingText />)}
      </LoadedFigure>
    </>
  )
}

const Crossed = ({ table: { rows, columns, cells, nb_participants } }: { table: Crosstab }) => {
  if (nb_participants === 0)
    return <p className="text-ink-2">Aucun participant n’a répondu aux deux.</p>
  return (
    <>
      <Heatmap
        title={`${TITLE} : ${rows.text}, par ${columns.text}`}
        noun={rows.text}
        columns={columns.items.map(({ text, count }, rank) => ({
          text,
          count,
          color: columns.question_id === null && columns.dimension_id === null ? rank : 0,
        }))}
        rows={rows.items.map(({ text }, rank) => ({ text, counts: cells[rank] ?? [] }))}
      />
      <p className="mt-2 text-xs text-ink-3">
        Sous chaque titre de colonne, combien elle compte ; dessous, leur part de chaque ligne.
        {rows.takes_several && ' Plusieurs réponses possibles : le total peut dépasser 100\u00a0%.'}
      </p>
    </>
  )
}
