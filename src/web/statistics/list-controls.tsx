import { useEffect, useEffectEvent, useState } from 'react'
import type { ParticipantSort } from '#domain/participant-sort.ts'
import { Select } from '#web/ui/select.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { LONGEST_SEARCH, sortingOf, sortOptions } from './list-address.ts'
import type { ParticipantList } from './queries.ts'

/** Typed words are searched after this pause. */
const REST_MS = 350

/** How the list is sorted, and the words that are searched in it. */
export const ListControls = ({
  list: { search = '', ...sorting },
  sorts,
  onChange,
}: {
  list: ParticipantList
  sorts: readonly ParticipantSort[]
  onChange: (asked: Partial<ParticipantList>) => void
}) => {
  const [typed, setTyped] = useState(search)
  const wanted = typed.trim()
  const apply = useEffectEvent((words: string) => onChange({ search: words }))
  const isApplied = wanted === search
  useEffect(() => {
    if (isApplied) return
    const timer = setTimeout(() => apply(wanted), REST_MS)
    return () => clearTimeout(timer)
  }, [wanted, isApplied])
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label="Chercher un participant"
        hint="Dans les adresses et les textes des réponses."
        type="search"
        value={typed}
        maxLength={LONGEST_SEARCH}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Select
        label="Trier par"
        value={`${sorting.sort} ${sorting.order}`}
        options={sortOptions(sorts)}
        onChange={(value) => onChange(sortingOf(value))}
      />
    </div>
  )
}
