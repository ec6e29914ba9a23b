import type { QuizAccess } from './quiz.ts'

/** Opening and closing dates of a quiz, and their order. */

/** Returns true if visitors cannot start yet, because the quiz opens later. `now` is in ms. */
export const isUnopened = ({ opens_at }: Pick<QuizAccess, 'opens_at'>, now: number): boolean =>
  opens_at !== null && Date.parse(opens_at) > now

type AccessDates = Pick<QuizAccess, 'opens_at' | 'closes_at'>

/** French errors for an opening date that is not before the closing date, by the changed field. */
export const DATE_ORDER_REFUSALS = {
  opens_at: 'L’ouverture doit venir avant la clôture',
  closes_at: 'La clôture doit venir après l’ouverture',
} as const satisfies Record<keyof AccessDates, string>

/** Returns true unless the quiz opens at or after its closing date. */
export const areDatesInOrder = ({ opens_at, closes_at }: AccessDates): boolean =>
  opens_at === null || closes_at === null || Date.parse(opens_at) < Date.parse(closes_at)

/** Returns the changed field if the quiz now opens at or after its closing date; otherwise undefined. */
export const misplacedDate = (
  before: AccessDates,
  after: AccessDates,
): keyof AccessDates | undefined => {
  if (areDatesInOrder(after)) return undefined
  return before.opens_at === after.opens_at ? 'closes_at' : 'opens_at'
}
