import type { PublishError } from '#domain/publishing/publish-error.ts'
import { isPublished, type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'

type Publication = { quiz: Pick<Quiz, 'status'>; hasChanges: boolean }

/** Returns whether the publish button is disabled, and its title (product 6.6). */
export const publishButton = ({
  quiz,
  hasChanges,
  errors,
}: Publication & { errors: readonly PublishError[] }): { isDisabled: boolean; title: string } => {
  if (isPublished(quiz) && !hasChanges)
    return { isDisabled: true, title: 'Aucune modification à publier' }
  const [first] = errors
  return first
    ? { isDisabled: true, title: first.message }
    : { isDisabled: false, title: 'Publier le quiz' }
}

/** Heading above the points to fix before an attempt to publish. */
export const POINTS_TITLE = 'À corriger avant de publier'

/** Heading above the reasons why the server refused a publication (product 6.8). */
export const REFUSAL_TITLE = 'Impossible de publier le quiz'

/** Returns the points to fix before publishing; empty when there is nothing to publish. */
export const pointsToFix = ({
  quiz,
  hasChanges,
  errors,
}: Publication & { errors: readonly PublishError[] }): readonly PublishError[] =>
  isPublished(quiz) && !hasChanges ? [] : errors

/** Purpose of the publish dialog: first publication, update, or sharing. */
export type PublishStep = 'publish' | 'update' | 'share'

/** Returns the purpose of the publish dialog for a quiz. */
export const publishStep = ({ quiz, hasChanges }: Publication): PublishStep => {
  if (!isPublished(quiz)) return 'publish'
  return hasChanges ? 'update' : 'share'
}

/** Titles of the publish dialog (product 6.7). */
export const PUBLISH_TITLES: Record<PublishStep, string> = {
  publish: 'Publier le quiz',
  update: 'Mettre à jour le quiz',
  share: 'Partager le quiz',
}

/** Returns the sentence of the publish dialog about the effect of a publication. */
export const publishEffect = (
  step: Exclude<PublishStep, 'share'>,
  quiz: Pick<Quiz, 'type'>,
): string =>
  step === 'publish'
    ? `Votre ${quizNoun(quiz)} sera accessible à toutes les personnes qui ont le lien.`
    : 'Les personnes qui ouvrent le lien verront cette nouvelle version.'
