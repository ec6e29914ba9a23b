import type { DeliveryStatus } from '#domain/deliveries/delivery.ts'

/** Columns by which the list of participants can be sorted. */
export const PARTICIPANT_SORTS = ['date', 'email', 'result', 'score', 'delivery'] as const
/** Column by which the list of participants is sorted. */
export type ParticipantSort = (typeof PARTICIPANT_SORTS)[number]

/** Directions of sorting. */
export const SORT_ORDERS = ['asc', 'desc'] as const
/** Direction of sorting. */
export type SortOrder = (typeof SORT_ORDERS)[number]

/** Sorting of the list of participants. */
export type Sorting = { sort: ParticipantSort; order: SortOrder }

/** Default sorting. */
export const NEWEST_FIRST: Sorting = { sort: 'date', order: 'desc' }

/** Outcomes at the tools, those that the creator may have to act on first. */
export const DELIVERY_URGENCY: readonly DeliveryStatus[] = [
  'refused',
  'pending',
  'awaiting_confirmation',
  'suppressed',
  'no_consent',
  'not_confirmed',
  'no_email',
  'delivered',
]

const FRENCH = new Intl.Collator('fr')

/** Returns the names without duplicates in French dictionary order; equal names are ordered by code unit. */
export const inNameOrder = (names: Iterable<string>): string[] =>
  [...new Set(names)].sort((a, b) => FRENCH.compare(a, b) || (a < b ? -1 : 1))
