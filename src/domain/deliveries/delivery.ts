/**
 * States of a delivery to a tool, webhook or mailbox. The worker attempts only 'pending' deliveries; a creator can
 * retry 'refused' deliveries. 'awaiting_confirmation' waits until the participant confirms the address.
 */
export const DELIVERY_STATUSES = [
  'pending',
  'delivered',
  'suppressed',
  'refused',
  'no_consent',
  'no_email',
  'awaiting_confirmation',
  'not_confirmed',
] as const
/** State of a delivery to a tool, webhook or mailbox. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Number of deliveries by state. */
export type DeliveryCounts = Record<DeliveryStatus, number>

/**
 * Participants of a quiz by the state of their delivery to one channel. `not_forwarded` counts participants without a
 * delivery, who came while forwarding was off.
 */
export type Balance = DeliveryCounts & { nb_participants: number; not_forwarded: number }

/** Returns the balance of a quiz, whose parts add up to `nb_participants`. */
export const balanceOf = (nb_participants: number, counts: Partial<DeliveryCounts>): Balance => {
  const all: DeliveryCounts = {
    pending: 0,
    delivered: 0,
    suppressed: 0,
    refused: 0,
    no_consent: 0,
    no_email: 0,
    awaiting_confirmation: 0,
    not_confirmed: 0,
    ...counts,
  }
  const known = DELIVERY_STATUSES.reduce((sum, status) => sum + all[status], 0)
  return { nb_participants, ...all, not_forwarded: nb_participants - known }
}

/** Time after which a failing delivery is given up while its connection works (product 11.5). */
export const MAX_DELIVERY_AGE = '72 hours'

/**
 * Returns the seconds until the next attempt, after `attempts` failures (product 11.5). The delay doubles up to six
 * hours; half of it depends on `chance`, from 0 to 1.
 */
export const deliveryRetryDelay = (attempts: number, chance: number): number => {
  const whole = Math.min(6 * 3_600, 30 * 2 ** Math.max(0, attempts - 1))
  return whole / 2 + (chance * whole) / 2
}

/** Code of a result mail that is not sent because the visitor's network has reached its daily limit. */
export const NETWORK_MAIL_LIMIT_REACHED = 'enough_mails_of_network'
