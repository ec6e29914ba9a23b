import { Suspense, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { ParticipantSort } from '#domain/statistics/participant-sort.ts'
import type { Filters } from '#web/statistics/filters/filters.ts'
import { formatFound, formatShown } from '#web/statistics/format/format.ts'
import type { ParticipantList } from '#web/statistics/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { SearchField } from '#web/ui/form/search-field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { OPENED_OVER_LIST, OpenedParticipant, useOpenedParticipant } from './opened-participant.tsx'
import {
  MAX_SEARCH_LENGTH,
  readList,
  replaceList,
  sortBy,
  sortingOf,
  sortLabel,
  sortOptions,
} from './participant-sorting.ts'
import { ParticipantsTable, rowLinkId } from './participants-table.tsx'
import {
  type NewestParticipants,
  type NextPage,
  useParticipantList,
} from './use-participant-list.ts'

const DocumentsZip = lazyPart(
  () => import('#web/statistics/documents/documents-zip.tsx'),
  'Les rapports n’ont pas pu être chargés.',
)

/** Renders the sort field and the search field of the list. */
const ListControls = ({
  list: { search = '', ...sorting },
  sorts,
  onChange,
}: {
  list: ParticipantList
  sorts: readonly ParticipantSort[]
  onChange: (changes: Partial<ParticipantList>) => void
}) => (
  <div className="grid gap-3 sm:grid-cols-2">
    <SearchField
      label="Chercher un participant"
      hint="Dans les noms, les adresses, les téléphones et les textes des réponses."
      maxLength={MAX_SEARCH_LENGTH}
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

const REGION = 'participants-region'
const findRegion = (): HTMLElement | null => document.getElementById(REGION)

/** Returns the link of a participant's row; if the row is gone, that of the row below or above. */
const findRowNear = (participantId: string, uuids: readonly string[]): HTMLElement | null => {
  const rank = uuids.indexOf(participantId)
  const others = rank < 0 ? [] : [...uuids.slice(rank + 1), ...uuids.slice(0, rank).reverse()]
  for (const id of [participantId, ...others]) {
    const row = document.getElementById(rowLinkId(id))
    if (row) return row
  }
  return null
}

/**
 * Renders the loaded participants in the chosen sorting and search, with a button for more, and the open participant.
 */
export const Participants = ({
  quizId,
  filters,
  sorts,
  newest,
  has_documents,
}: {
  quizId: string
  filters: Filters
  /** Fields by which the participants can be sorted. */
  sorts: readonly ParticipantSort[]
  newest: NewestParticipants
  /** True if participants of the quiz have reports or certificates. */
  has_documents: boolean
}) => {
  // The list disappears with its last participant.
  const ref = useFocusFallback<HTMLElement>(() => document.querySelector('h1'))
  const [address, setAddress] = useSearchParams()
  const list = readList(address)
  const { participants, count, more, error, isReading } = useParticipantList(
    { quizId, filters, newest },
    list,
  )
  const uuids = participants.map(({ participant_uuid }) => participant_uuid)
  // The last list with the open participant, who may be deleted before the drawer is closed.
  const lastUuids = useRef(uuids)
  const { opened, addressOf, move, close } = useOpenedParticipant((participantId) =>
    (findRowNear(participantId, lastUuids.current) ?? findRegion())?.focus(),
  )
  if (opened !== null && uuids.includes(opened)) lastUuids.current = uuids
  const change = (changes: Partial<typeof list>): void =>
    setAddress((before) => replaceList(before, { ...list, ...changes }), {
      replace: true,
      preventScrollReset: true,
    })
  return (
    <section
      ref={ref}
      aria-labelledby="participants"
      className="flex min-w-0 flex-col gap-4 print:hidden"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 id="participants" tabIndex={-1} className="text-lg font-semibold">
          Réponses détaillées
        </h2>
        <HelpLink about="participants" page="participants-et-exports" />
      </div>
      <ListControls list={list} sorts={sorts} onChange={change} />
      {has_documents && (
        <Suspense>
          <DocumentsZip
            quizId={quizId}
            filters={filters}
            search={list.search ?? ''}
            count={isReading ? null : count}
          />
        </Suspense>
      )}
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
      <section
        id={REGION}
        aria-label="Tableau des participants"
        aria-busy={isReading || undefined}
        // Receives the focus of a removed row; Tab stops are inside the rows.
        tabIndex={-1}
        className="max-h-[80dvh] overflow-auto scroll-pt-10 rounded-xl border border-line loading-part"
      >
        <ParticipantsTable
          participants={participants}
          sorting={list}
          label={`Participants : ${sortLabel(list)}`}
          addressOf={addressOf}
          state={OPENED_OVER_LIST}
          onSort={(sort) => change(sortBy(sort, list))}
          findNext={findRegion}
        />
      </section>
      <p role="status" className="text-center text-ink-2 tabular-nums empty:hidden">
        {list.search && !isReading && !error
          ? formatFound(participants.length, more === undefined)
          : more && formatShown(participants.length, count)}
      </p>
      {more && <LoadMore {...more} />}
      <OpenedParticipant
        quizId={quizId}
        participantId={opened}
        uuids={uuids}
        count={list.search && more ? null : count}
        more={more}
        onMove={move}
        onClose={close}
      />
    </section>
  )
}

const LoadMore = ({ isLoading, error, load }: NextPage) => {
  const ref = useFocusFallback<HTMLDivElement>(findRegion)
  return (
    <div ref={ref} className="flex flex-col items-center gap-2">
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
      <Button busy={isLoading} onClick={load}>
        {labelOf({ isLoading, error })}
      </Button>
    </div>
  )
}

const labelOf = ({ isLoading, error }: Omit<NextPage, 'load'>): string => {
  if (isLoading) return 'Chargement...'
  return error ? 'Réessayer' : 'Afficher plus de participants'
}
