import type { Figures } from '#contract/figures.ts'
import { formatNamedMoment } from '#web/ui/moments.ts'
import { chipsOf, type Filters } from './filters.ts'

/** On paper, where there are neither filters nor a way to read again: when the figures were read, and of whom. */
export const ReportHead = ({
  read_at,
  filters,
  choices,
}: {
  /** In ms. */
  read_at: number
  filters: Filters
  choices: Figures['choices']
}) => {
  const chips = chipsOf(filters, choices).map(({ text }) => text)
  return (
    <p className="hidden print:block">
      Chiffres du {formatNamedMoment(read_at)} ·{' '}
      {chips.length === 0 ? 'Tous les participants, depuis le début' : chips.join(' · ')}
    </p>
  )
}
