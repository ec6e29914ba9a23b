import { trimText } from './blank-text.ts'
import type { Quiz, QuizAccess } from './quiz.ts'

/** What a page says once its quiz is closed and the creator has written nothing. */
const DEFAULT_CLOSED_TEXT = 'Ce questionnaire est clos.'

/** How long after the closing date the answers of a page that was opened before are still taken. */
export const LATE_HOURS = 24

/** What a closed quiz says: the creator's words, unless they are blank. */
export const closedText = (text: string | null): string =>
  trimText(text ?? '') || DEFAULT_CLOSED_TEXT

/** True when visitors can no longer begin: the closing date has passed, or the limit of participants is reached. `now` in ms. */
export const isClosed = (
  {
    closes_at,
    max_responses,
    nb_responses,
  }: Pick<QuizAccess, 'closes_at' | 'max_responses'> & Pick<Quiz, 'nb_responses'>,
  now: number,
): boolean =>
  (closes_at !== null && Date.parse(closes_at) <= now) ||
  (max_responses !== null && nb_responses >= max_responses)
