import { PUBLISHED, type QuizStatus, UNPUBLISHED } from '#domain/common/vocabulary.ts'
import type { QuizFields } from '#domain/editing/draft-fields.ts'
import { checkAccessDates, unknownTieQuestionError } from '#domain/editing/edit-rules.ts'
import { addedImages } from '#domain/questionnaire/images.ts'
import { isChoice, type QuizAccess } from '#domain/questionnaire/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { conflict } from '#server/http/edge/errors.ts'
import { refuseStaleFields } from '#server/http/edge/refuse-stale-fields.ts'
import { checkImages } from '#server/images/creator-images.ts'
import { findQuestionType } from './draft.store.ts'
import { type PublishInput, publishQuiz, withdrawQuiz } from './publish-quiz.ts'
import { clearProvisionedFields, lockQuiz, updateQuiz } from './quizzes.store.ts'
import { claimSlug } from './slugs.store.ts'

type Changes = Partial<QuizFields & QuizAccess> & {
  status?: QuizStatus
  kit_custom_field?: string | null | undefined
  brevo_attribute_name?: string | null | undefined
  based_on?: number | undefined
  replaces?: { [Name in keyof QuizAccess]?: QuizAccess[Name] | undefined } | undefined
}

const noMailServer = () =>
  conflict(
    'no_mail_server',
    'Ce site n’a pas de serveur d’emails : aucune adresse ne peut être confirmée.',
  )

const FIELDS = [
  { column: 'kit_custom_field', provider: 'convertkit' },
  { column: 'brevo_attribute_name', provider: 'brevo' },
] as const

/**
 * Writes the given fields of a quiz within the caller's transaction. A changed status publishes or withdraws the quiz
 * (product 6.9); an unchanged status does nothing. Throws a 404 for another creator's quiz, a 409 for an
 * older revision, a field of `replaces` that has another value, or confirmations without a mail server, the errors of a publication, and a 422 for a taken slug,
 * an invalid tie question, an image of another account, or an opening that is not before the closing.
 */
export const saveQuiz = async (
  db: Db,
  { version_quota, freeze, has_mail_server, ...owned }: PublishInput & { has_mail_server: boolean },
  { status, based_on, replaces, ...columns }: Changes,
): Promise<void> => {
  const { quiz } = await lockQuiz(db, owned, based_on)
  refuseStaleFields(quiz, replaces)
  if (columns.confirms_email && !quiz.confirms_email && !has_mail_server) throw noMailServer()
  const { opens_at = quiz.opens_at, closes_at = quiz.closes_at } = columns
  checkAccessDates(quiz, { opens_at, closes_at })
  if (columns.slug) await claimSlug(db, owned, columns.slug)
  if (columns.tie_question_id) {
    const type = await findQuestionType(db, owned.quiz_id, columns.tie_question_id)
    if (!type || !isChoice({ type })) throw unknownTieQuestionError('tie_question_id')
  }
  const others = { results: [], questions: [] }
  const images = addedImages({ quiz, ...others }, { quiz: columns, ...others })
  if (images.size > 0) await checkImages(db, owned.creator_id, images)
  await updateQuiz(db, owned.quiz_id, columns)
  const renamed = FIELDS.filter(
    ({ column }) => columns[column] !== undefined && columns[column] !== quiz[column],
  )
  if (renamed.length > 0)
    await clearProvisionedFields(
      db,
      owned.quiz_id,
      renamed.map(({ provider }) => provider),
    )
  if (status === quiz.status) return
  if (status === PUBLISHED) await publishQuiz(db, { ...owned, version_quota, freeze })
  if (status === UNPUBLISHED) await withdrawQuiz(db, owned.quiz_id)
}
