import type { DetailedParticipant } from '#contract/participants.ts'
import { formatNamedMoment } from '#web/ui/moments.ts'

/** A page that the path of a participant went past. */
export const leftOutText = (page_number: number): string =>
  `Page ${page_number} : sautée, une réponse menait plus loin`

type Delivery = DetailedParticipant['deliveries'][number]

/** The tries of a delivery: how many, the last one and the next; '' before the first. */
export const attemptsText = ({
  attempts,
  last_attempt_at,
  settled_at,
  next_attempt_at,
}: Pick<Delivery, 'attempts' | 'last_attempt_at' | 'settled_at' | 'next_attempt_at'>): string => {
  // Tries are forgotten after thirty days; what became of them is not.
  const last = last_attempt_at ?? (attempts > 0 ? settled_at : null)
  const parts = [
    attempts > 0 ? `${attempts} essai${attempts > 1 ? 's' : ''}` : '',
    last === null ? '' : `dernier le ${formatNamedMoment(last)}`,
    next_attempt_at === null || attempts === 0
      ? ''
      : `prochain le ${formatNamedMoment(next_attempt_at)}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** What a participant agreed to, and when. */
export const consentText = ({
  consent,
  created_at,
}: Pick<DetailedParticipant, 'consent' | 'created_at'>): string => {
  const when = formatNamedMoment(created_at)
  if (consent === null) return `Aucune case ne lui a été proposée (réponse du ${when}).`
  return consent.is_given
    ? `A coché la case le ${when} :`
    : `La case lui a été proposée, et n’a pas été cochée (réponse du ${when}).`
}
