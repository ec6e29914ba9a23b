/** What becomes of a participant at an email tool; all but the first are final. */
export const DELIVERY_STATUSES = [
  'pending',
  'delivered',
  'suppressed',
  'refused',
  'no_consent',
  'no_email',
] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export type DeliveryCounts = Record<DeliveryStatus, number>

/**
 * How the participants of a quiz are shared out among what became of them at one tool. Those who came
 * while the quiz did not forward to it have no delivery: `not_forwarded` is what remains of them all.
 */
export type Balance = DeliveryCounts & { nb_participants: number; not_forwarded: number }

/** The balance of `nb_participants` with these counts; the states sum up to all participants. */
export const balanceOf = (nb_participants: number, counts: Partial<DeliveryCounts>): Balance => {
  const all: DeliveryCounts = {
    pending: 0,
    delivered: 0,
    suppressed: 0,
    refused: 0,
    no_consent: 0,
    no_email: 0,
    ...counts,
  }
  const known = DELIVERY_STATUSES.reduce((sum, status) => sum + all[status], 0)
  return { nb_participants, ...all, not_forwarded: nb_participants - known }
}

/** How long a delivery is tried while nothing is wrong with its connection (integrations §11.5). */
export const LONGEST_AGE = '72 hours'

/** Seconds in which a delivery that failed `attempts` times is tried again; half of it is by chance (integrations §11.5). */
export const retryDelay = (attempts: number, chance: number): number => {
  const whole = Math.min(6 * 3_600, 30 * 2 ** Math.max(0, attempts - 1))
  return whole / 2 + (chance * whole) / 2
}

/** Code of a result mail that is not sent because the network of its visitor has reached its daily limit. */
export const ENOUGH_MAILS_OF_NETWORK = 'enough_mails_of_network'
