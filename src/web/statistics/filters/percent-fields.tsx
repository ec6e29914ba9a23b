import { type FormEvent, useState } from 'react'
import { filteredPercents, type PercentFilter } from '#domain/statistics/percent-filters.ts'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'

const readPercent = (typed: string, otherwise: number): number =>
  typed.trim() === '' ? otherwise : Number(typed)

const isPercent = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 100

/** Asks for a range of percents of the score or of a dimension, and adds it to the filters. */
export const PercentFields = ({
  subjects,
  filter,
  onAdd,
}: {
  subjects: readonly { id: string; name: string }[]
  filter: string | undefined
  onAdd: (range: PercentFilter) => void
}) => {
  const [subject, setSubject] = useState(subjects[0]?.id ?? '')
  const known = filteredPercents(filter).find((range) => range.subject === subject)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const range = { subject, from: readPercent(from, 0), to: readPercent(to, 100) }
    const isValid = isPercent(range.from) && isPercent(range.to) && range.from <= range.to
    setError(isValid ? undefined : 'Deux pourcentages de 0 à 100, le plus petit d’abord.')
    if (isValid) onAdd(range)
  }
  return (
    <form
      noValidate
      onSubmit={submit}
      className="flex min-w-0 flex-wrap items-end gap-2 sm:col-span-2"
    >
      <div className="min-w-32 flex-1">
        <Select
          label="Pourcentage"
          value={subject}
          options={subjects.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setSubject}
        />
      </div>
      {(
        [
          ['De (%)', from, setFrom, known?.from ?? 0],
          ['À (%)', to, setTo, known?.to ?? 100],
        ] as const
      ).map(([label, value, set, placeholder]) => (
        <div key={label} className="w-20">
          <TextField
            label={label}
            inputMode="numeric"
            placeholder={String(placeholder)}
            value={value}
            maxLength={3}
            autoComplete="off"
            aria-invalid={error ? true : undefined}
            onChange={(event) => set(event.currentTarget.value)}
          />
        </div>
      ))}
      <Button type="submit">Filtrer</Button>
      <p role="alert" className="w-full text-sm text-bad empty:hidden">
        {error}
      </p>
    </form>
  )
}
