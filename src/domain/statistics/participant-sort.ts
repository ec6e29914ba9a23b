import type { DeliveryStatus } from '#domain/deliveries/delivery.ts'

/** What a list of participants may be sorted by. */
export const PARTICIPANT_SORTS = ['date', 'email', 'result', 'score', 'delivery'] as const
export type ParticipantSort = (typeof PARTICIPANT_SORTS)[number]

export const SORT_ORDERS = ['asc', 'desc'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

export type Sorting = { sort: ParticipantSort; order: SortOrder }

export const NEWEST_FIRST: Sorting = { sort: 'date', order: 'desc' }

/** What became of participants at the tools, what their creator may have to act on first. */
export const DELIVERY_URGENCY: readonly DeliveryStatus[] = [
  'refused',
  'pending',
  'suppressed',
  'no_consent',
  'no_email',
  'delivered',
]

const FRENCH = new Intl.Collator('fr')

/** These names as French dictionaries order them, each once; equal ones to a dictionary by their characters. */
export const inNameOrder = (names: Iterable<string>): string[] =>
  [...new Set(names)].sort((a, b) => FRENCH.compare(a, b) || (a < b ? -1 : 1))
