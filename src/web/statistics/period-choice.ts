import type { Filters } from './filters.ts'

/** The last days that the picker offers, all days, and days of one's own. */
export type PeriodChoice = '7' | '30' | '90' | 'all' | 'dates'

export const PERIODS: { value: PeriodChoice; label: string }[] = [
  { value: 'all', label: 'Tout' },
  { value: '7', label: '7 derniers jours' },
  { value: '30', label: '30 derniers jours' },
  { value: '90', label: '90 derniers jours' },
  { value: 'dates', label: 'Dates…' },
]

const DAY_MS = 86_400_000
const DAY_LENGTH = 'YYYY-MM-DD'.length

/** The first of so many days of which `today` is the last. */
const firstOf = (choice: PeriodChoice, today: string): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) - (Number(choice) - 1) * DAY_MS)
    .toISOString()
    .slice(0, DAY_LENGTH)

/** Returns the choice that these filters stand for; `today` is a day in the zone of the account. */
export const periodOf = ({ from, to }: Filters, today: string): PeriodChoice => {
  if (!from && !to) return 'all'
  const found = (['7', '30', '90'] as const).find((choice) => from === firstOf(choice, today))
  return found && (!to || to === today) ? found : 'dates'
}

/** The same filters for another period; those of one's own days begin with the days that were shown. */
export const withPeriod = (filters: Filters, choice: PeriodChoice, today: string): Filters => {
  if (choice === 'dates') return filters
  const { from: _from, to: _to, ...others } = filters
  return choice === 'all' ? others : { ...others, from: firstOf(choice, today) }
}
