import { useState } from 'react'
import { localDay } from '#domain/common/time-zone.ts'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { useZone, withZone } from '#web/ui/moments.ts'
import type { Filters } from './filters.ts'
import { PERIODS, periodOf, withPeriod } from './period-choice.ts'

type Props = {
  filters: Filters
  error: string | undefined
  onChange: (filters: Filters) => void
}

/** Renders the picker of the days that the figures include. */
export const PeriodPicker = ({ filters, error, onChange }: Props) => {
  const zone = useZone()
  const today = localDay(new Date(), zone.time_zone)
  const [wantsDates, setWantsDates] = useState(false)
  const choice = wantsDates ? 'dates' : periodOf(filters, today)
  // The date fields stay while one is being edited, even if the dates match another period meanwhile.
  const write = (dates: Pick<Filters, 'from' | 'to'>): void => {
    setWantsDates(true)
    onChange({ ...filters, ...dates })
  }
  return (
    <div className="flex max-w-full min-w-0 flex-wrap items-start gap-3 print:hidden">
      <div className="w-48 max-w-full">
        <Select
          label={withZone('Période', zone)}
          value={choice}
          options={PERIODS}
          onChange={(next) => {
            setWantsDates(next === 'dates')
            onChange(withPeriod(filters, next, today))
          }}
        />
      </div>
      {choice === 'dates' && (
        <>
          <TextField
            label="À partir du"
            type="date"
            value={filters.from ?? ''}
            onChange={(event) => write({ from: event.currentTarget.value })}
          />
          <TextField
            label="Jusqu’au"
            type="date"
            value={filters.to ?? ''}
            error={error}
            onChange={(event) => write({ to: event.currentTarget.value })}
          />
        </>
      )}
    </div>
  )
}
