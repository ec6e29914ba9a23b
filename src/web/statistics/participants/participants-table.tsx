import { type KeyboardEvent, useState } from 'react'
import { Link, type To } from 'react-router'
import type { ListedParticipant } from '#contract/statistics/statistics.ts'
import { CONFIRMATION_LABELS } from '#domain/confirmations/confirmation.ts'
import { fullNameOf } from '#domain/run/contact/full-name.ts'
import type { ParticipantSort, Sorting } from '#domain/statistics/participant-sort.ts'
import { DeliveryBadge } from '#web/deliveries/delivery-labels.tsx'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import {
  formatDate,
  formatPercentage,
  formatPoints,
  MISSING,
  NO_REPLY,
} from '#web/statistics/format/format.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { withZone } from '#web/ui/moments.ts'
import { PersonName } from '#web/ui/person-name.tsx'
import { TableHead } from '#web/ui/table-head.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'

/** Renders the answers of a participant, each below its question, in the order of the pages. */
export const AnswerList = ({ answers }: Pick<ListedParticipant, 'answers'>) => {
  const keys = distinctKeys(answers.map(({ question_text }) => question_text))
  return (
    <dl className="mt-2 flex flex-col gap-2">
      {answers.map(({ question_text, answer_text }, index) => (
        <div key={keys[index]}>
          <dt className="text-ink-2 wrap-anywhere" dir="auto">
            {question_text}
          </dt>
          <dd className="whitespace-pre-line wrap-anywhere" dir="auto">
            {answer_text || NO_REPLY}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const CONFIRMATION_TONES = { confirmed: 'ok', waiting: 'info', expired: 'neutral' } as const

const CELL = 'border-t border-line px-3 py-2 align-top wrap-anywhere'

const columnsIn = (): { title: string; sort?: ParticipantSort }[] => [
  { title: withZone('Date'), sort: 'date' },
  { title: 'Email', sort: 'email' },
  { title: 'Résultat', sort: 'result' },
  { title: 'Réponses' },
]

/** Returns the id of the link of a participant's row. */
export const rowLinkId = (participantId: string): string => `participant-${participantId}`

type DrawerNavigation = {
  addressOf: (participantId: string) => To
  /** State of the history entry that an opening creates. */
  state: unknown
  /** Returns the element that gets the focus if the focused row is removed and no other is left. */
  findNext: () => HTMLElement | null
}

/**
 * Renders the participants (product 10.5). Tab reaches one row, and the arrow keys reach the others. The date of a row
 * opens its participant.
 */
export const ParticipantsTable = ({
  participants,
  sorting,
  label,
  onSort,
  ...opening
}: DrawerNavigation & {
  participants: readonly ListedParticipant[]
  sorting: Sorting
  label: string
  onSort: (sort: ParticipantSort) => void
}) => {
  const [reached, setReached] = useState<string>()
  const stop =
    participants.find(({ participant_uuid }) => participant_uuid === reached) ?? participants[0]
  return (
    <table className="w-full min-w-2xl border-separate border-spacing-0 text-sm">
      <caption className="sr-only">{label}</caption>
      <TableHead
        columns={columnsIn().map(({ title, sort }) => ({
          title,
          sort: sort && {
            order: sort === sorting.sort ? sorting.order : undefined,
            onSort: () => onSort(sort),
          },
        }))}
        className="sticky top-0 bg-wash px-3 py-2"
      />
      <tbody onKeyDown={moveBetweenRows}>
        {participants.map((participant) => (
          <Row
            key={participant.participant_uuid}
            participant={participant}
            tabIndex={participant === stop ? 0 : -1}
            onReach={() => setReached(participant.participant_uuid)}
            {...opening}
          />
        ))}
      </tbody>
    </table>
  )
}

/** Attribute of a row's focus stops; the arrow keys go to the same stop of another row. */
const STOP = 'data-row-stop'

const moveBetweenRows = (event: KeyboardEvent<HTMLElement>): void => {
  const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event
  if (altKey || ctrlKey || metaKey || shiftKey || !(target instanceof HTMLElement)) return
  const kind = target.getAttribute(STOP)
  if (kind === null) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(`[${STOP}="${kind}"]`)]
  const at = stops.indexOf(target)
  const places: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: stops.length - 1,
  }
  const place = places[key]
  if (place === undefined) return
  event.preventDefault()
  stops[place]?.focus()
}

/** Returns the link of the row after a removed row, or of the previous row if the removed row was the last. */
const findNeighbour = (row: HTMLElement): HTMLElement | null =>
  (row.nextElementSibling ?? row.previousElementSibling)?.querySelector<HTMLElement>(
    `[${STOP}="detail"]`,
  ) ?? null

const Row = ({
  participant,
  tabIndex,
  onReach,
  addressOf,
  state,
  findNext,
}: DrawerNavigation & {
  participant: ListedParticipant
  tabIndex: number
  onReach: () => void
}) => {
  const { participant_uuid, created_at, email, final_result_name, is_suspect } = participant
  const { email_confirmation } = participant
  const { score = null, percent = null, has_certificate, deliveries = [] } = participant
  const ref = useFocusFallback<HTMLTableRowElement>((row) => findNeighbour(row) ?? findNext())
  const date = formatDate(created_at)
  const who =
    [fullNameOf(participant), email].filter((part) => part !== null).join(', ') || 'sans adresse'
  return (
    <tr ref={ref} onFocus={onReach}>
      <td className={`${CELL} whitespace-nowrap tabular-nums`}>
        <Link
          id={rowLinkId(participant_uuid)}
          to={addressOf(participant_uuid)}
          state={state}
          preventScrollReset
          tabIndex={tabIndex}
          aria-label={`${date}, ${who} : voir le détail`}
          className="inline-flex min-h-6 items-center text-brand underline underline-offset-2 pointer-coarse:min-h-11"
          {...{ [STOP]: 'detail' }}
        >
          {date}
        </Link>
        {is_suspect && (
          <p className="mt-1">
            <Badge tone="warn">À vérifier</Badge>
          </p>
        )}
      </td>
      <td className={`${CELL} min-w-48`}>
        <PersonName person={participant} />
        {email_confirmation && (
          <p className="mt-1">
            <Badge tone={CONFIRMATION_TONES[email_confirmation]}>
              {CONFIRMATION_LABELS[email_confirmation]}
            </Badge>
          </p>
        )}
        {deliveries.length > 0 && (
          <p className="mt-1 flex flex-wrap gap-1">
            {deliveries.map(({ provider, connection_id, status }) => (
              <DeliveryBadge key={connection_id} provider={provider} status={status} />
            ))}
          </p>
        )}
      </td>
      <td className={`${CELL} min-w-32`}>
        {final_result_name === null ? MISSING : <Badge tone="info">{final_result_name}</Badge>}
        {score !== null && (
          <p className="mt-1 text-ink-2 tabular-nums">
            {[formatPoints(score), ...(percent === null ? [] : [formatPercentage(percent)])].join(
              ', ',
            )}
          </p>
        )}
        {has_certificate && (
          <p className="mt-1">
            <Badge tone="ok">Attestation délivrée</Badge>
          </p>
        )}
        {participant.dimensions.length > 0 && (
          <p className="mt-1 text-xs text-ink-2 tabular-nums">
            {participant.dimensions.map(dimensionText).join(' · ')}
          </p>
        )}
      </td>
      <td className={`${CELL} w-2/5`}>
        <Answers answers={participant.answers} tabIndex={tabIndex} />
      </td>
    </tr>
  )
}

/** Returns the percent and the tier of a dimension as French text: 'Santé 80 % (Fort)'. */
const dimensionText = ({ name, percent, tier }: ListedParticipant['dimensions'][number]): string =>
  `${name} ${formatPercentage(percent)}${tier ? ` (${tier})` : ''}`

const Answers = ({
  answers,
  tabIndex,
}: {
  answers: ListedParticipant['answers']
  tabIndex: number
}) => {
  return (
    <details>
      <summary
        tabIndex={tabIndex}
        className="min-h-6 text-brand pointer-coarse:min-h-11"
        {...{ [STOP]: 'answers' }}
      >
        Voir les réponses ({answers.filter(({ answer_text }) => answer_text !== '').length})
      </summary>
      <AnswerList answers={answers} />
    </details>
  )
}
