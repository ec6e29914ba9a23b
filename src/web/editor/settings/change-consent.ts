import type { CONSENT_FIELDS } from '#domain/questionnaire/fields/quiz-fields.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { AUTOSAVE_KINDS } from '#web/editor/draft/use-draft.ts'

/**
 * Changes the consents, saved like other edits. The change applies to every undo step, so that
 * an undo never reverts a consent.
 */
export const changeConsent = (
  session: DraftSession,
  fields: Partial<Pick<Quiz, keyof typeof CONSENT_FIELDS>>,
): void =>
  session.changeEveryStep(
    (draft) => ({ ...draft, quiz: { ...draft.quiz, ...fields } }),
    AUTOSAVE_KINDS.consent,
  )
