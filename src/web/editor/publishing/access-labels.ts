import { isClosed } from '#domain/questionnaire/access.ts'
import { isUnopened } from '#domain/questionnaire/access-dates.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { formatNumber, formatParticipants } from '#web/statistics/format/format.ts'

/** Fields that decide whether visitors can start a quiz. */
export type AccessSettings = Pick<Quiz, 'opens_at' | 'closes_at' | 'max_responses' | 'nb_responses'>

/**
 * Returns sentences about the opening, the closing and the limit of participants, in this order. `now` is in ms.
 */
export const accessNotes = (
  quiz: AccessSettings,
  {
    now,
    sayOpening,
    sayClosing,
  }: {
    now: number
    sayOpening: (opens_at: string) => string
    sayClosing: (closes_at: string) => string
  },
): string[] => {
  const { opens_at, closes_at, max_responses, nb_responses } = quiz
  const notes: string[] = []
  if (opens_at !== null && isUnopened(quiz, now))
    notes.push(`${sayOpening(opens_at)}. Avant cette date, le lien annonce l’ouverture.`)
  if (closes_at !== null) notes.push(`${sayClosing(closes_at)}.`)
  if (max_responses !== null)
    notes.push(
      `Limité à ${formatParticipants(max_responses)} (${formatNumber(nb_responses)} à ce jour).`,
    )
  if (isClosed(quiz, now)) notes.push('Vos visiteurs lisent le message de clôture.')
  return notes
}
