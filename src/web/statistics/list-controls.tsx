import type { ParticipantSort } from '#domain/participant-sort.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { LONGEST_SEARCH, sortingOf, sortOptions } from './list-address.ts'
import type { ParticipantList } from './queries.ts'

/** How the list is sorted, and the words that are searched in it. */
export const ListControls = ({
  list: { search = '', ...sorting },
  sorts,
  onChange,
}: {
  list: ParticipantList
  sorts: readonly ParticipantSort[]
  onChange: (asked: Partial<ParticipantList>) => void
}) => (
  <div className="grid gap-3 sm:grid-cols-2">
    <SearchField
      label="Chercher un participant"
      hint="Dans les adresses et les textes des réponses."
      maxLength={LONGEST_SEARCH}
      searched={search}
      onSearch={(words) => onChange({ search: words })}
    />
    <Select
      label="Trier par"
      value={`${sorting.sort} ${sorting.order}`}
      options={sortOptions(sorts)}
      onChange={(value) => onChange(sortingOf(value))}
    />
  </div>
)
