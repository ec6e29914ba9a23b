import { LATE_SUBMISSION_HOURS } from '#domain/questionnaire/access.ts'

/** SQL condition: the quiz ends by itself, so that its batches are stored one after the other. */
export const IS_LIMITED = '(max_responses is not null or closes_at is not null)'

/** SQL condition that is true if the quiz opens later by the clock of the database. */
export const IS_UNOPENED = '(opens_at > now()) is true'

/** SQL expression for the time zone of the creator of a quiz; null if the creator never chose one. */
export const CREATOR_TIME_ZONE =
  '(select time_zone from creator_settings where creator_settings.user_id = quizzes.creator_id)'

/** SQL condition: the quiz refuses all submissions, even from visitors who began before the closing date. */
export const IS_CLOSED_FOR_ALL = `(closes_at + interval '${LATE_SUBMISSION_HOURS} hours' <= now()) is true`

/** SQL expression for the number of participants that the quiz still accepts; null if unlimited. */
export const REMAINING_PLACES = `case when max_responses is not null then max_responses - (
  select coalesce(sum(nb_responses), 0) from quiz_versions where quiz_versions.quiz_id = quizzes.id
) end`
