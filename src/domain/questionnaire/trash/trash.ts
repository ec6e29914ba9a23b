/** Days for which a deleted questionnaire can be restored. */
export const TRASH_DAYS = 30

/** Maximum number of questionnaires in the trash of an account. */
export const MAX_TRASHED_QUIZZES = 1_000

/** Refusal of a questionnaire that is in the creator's own trash (`IN_TRASH`). */
export const IN_TRASH_MESSAGE = 'Ce questionnaire est dans la corbeille'

/** Refusal of a deletion into a full trash. */
export const TRASH_IS_FULL = `La corbeille est pleine (${MAX_TRASHED_QUIZZES} questionnaires) : videz-la, ou supprimez-y des questionnaires définitivement.`

/** Refusal of a slug that a questionnaire in the creator's own trash has or had. */
export const slugInTrashMessage = (slug: string): string =>
  `L’adresse « ${slug} » est celle d’un questionnaire de votre corbeille : restaurez-le ou supprimez-le définitivement.`

const DAY_MS = 86_400_000

/** Returns the time in ms at which a questionnaire of the trash is deleted for ever. */
const trashEnd = (trashed_at: string): number => Date.parse(trashed_at) + TRASH_DAYS * DAY_MS

/** Returns the started days until a questionnaire of the trash is deleted for ever, from 0 to 30. `now` is in ms. */
export const daysLeftInTrash = (trashed_at: string, now: number): number =>
  Math.min(TRASH_DAYS, Math.max(0, Math.ceil((trashEnd(trashed_at) - now) / DAY_MS)))
