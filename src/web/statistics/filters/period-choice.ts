import type { Filters } from './filters.ts'

/** The periods that the picker offers: the last days, all days, or custom dates. */
export type PeriodChoice = '7' | '30' | '90' | 'all' | 'dates'

/** The options of the period picker. */
export const PERIODS: { value: PeriodChoice; label: string }[] = [
  { value: 'all', label: 'Tout' },
  { value: '7', label: '7 derniers jours' },
  { value: '30', label: '30 derniers jours' },
  { value: '90', label: '90 derniers jours' },
  { value: 'dates', label: 'Dates…' },
]

const DAY_MS = 86_400_000
const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Returns the first of the last days, of which `today` is the last. */
const firstDayOf = (choice: PeriodChoice, today: string): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) - (Number(choice) - 1) * DAY_MS)
    .toISOString()
    .slice(0, DAY_LENGTH)

/** Returns the choice that matches these filters; `today` is a day in the zone of the account. */
export const periodOf = ({ from, to }: Filters, today: string): PeriodChoice => {
  if (!from && !to) return 'all'
  const found = (['7', '30', '90'] as const).find((choice) => from === firstDayOf(choice, today))
  return found && (!to || to === today) ? found : 'dates'
}

/** Returns the filters for another period; custom dates start with the current days. */
export const withPeriod = (filters: Filters, choice: PeriodChoice, today: string): Filters => {
  if (choice === 'dates') return filters
  const { from: _from, to: _to, ...others } = filters
  return choice === 'all' ? others : { ...others, from: firstDayOf(choice, today) }
}
