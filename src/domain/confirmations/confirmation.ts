/**
 * States of the confirmation of a participant's address (docs/decisions/080). A participant who was not asked has none.
 */
export const CONFIRMATION_STATES = ['waiting', 'confirmed', 'expired'] as const
/** State of the confirmation of a participant's address. */
export type ConfirmationState = (typeof CONFIRMATION_STATES)[number]

/** Days during which the link of a confirmation mail is valid. */
export const CONFIRMATION_DAYS = 7
/** Hours after which a participant who has not confirmed gets one reminder. */
export const REMINDER_HOURS = 48

/** Words for the state of a confirmation, as creators read them. */
export const CONFIRMATION_LABELS: Record<ConfirmationState, string> = {
  confirmed: 'Adresse confirmée',
  waiting: 'Adresse à confirmer',
  expired: 'Adresse non confirmée',
}

/** Number of asked participants by state. */
export type ConfirmationCounts = {
  nb_asked: number
  nb_confirmed: number
  nb_waiting: number
  nb_expired: number
}

/** Returns the numbers of participants by the state of their confirmation; null if no participant was asked. */
export const confirmationCounts = (
  counts: readonly { email_confirmation: string; count: number }[],
): ConfirmationCounts | null => {
  const countOf = (state: ConfirmationState): number =>
    counts.reduce((sum, row) => sum + (row.email_confirmation === state ? row.count : 0), 0)
  const [nb_confirmed, nb_waiting, nb_expired] = [
    countOf('confirmed'),
    countOf('waiting'),
    countOf('expired'),
  ]
  const nb_asked = nb_confirmed + nb_waiting + nb_expired
  return nb_asked === 0 ? null : { nb_asked, nb_confirmed, nb_waiting, nb_expired }
}

/** Returns an address of which only the first letter and the domain are readable: « c***@exemple.fr ». */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@')
  const [first = ''] = email
  return at < 1 ? '***' : `${first}***${email.slice(at)}`
}

/** Returns true if a participant is asked to confirm: the address is given and the consent was not declined. */
export const isAskedToConfirm = ({
  email,
  consent_version,
}: {
  email: string | null
  consent_version: number | null
}): boolean => email !== null && consent_version !== 0
