import { isSondage } from '#domain/questionnaire/quiz.ts'
import { isBlank, nonBlankAnswers } from '#domain/questionnaire/snapshot.ts'
import { CERTIFICATE_INSERTIONS } from '#domain/reports/certificate.ts'
import { pointsRangeOf } from '#domain/run/reachable-totals.ts'
import type { PublishCheckInput } from './insertable-names.ts'
import type { PublishError } from './publish-error.ts'
import { insertionAndLinkErrors } from './text-check.ts'

/** Names that only the text of a certificate can insert. */
export const CERTIFICATE_NAMES = [...CERTIFICATE_INSERTIONS, 'prénom']

/**
 * Returns the errors of the certificate and of its text. A certificate needs a quiz by score whose points can differ. A
 * missing question for the name is not an error.
 */
export const reportErrors = (draft: PublishCheckInput): PublishError[] => {
  const { certificate_percent, certificate_text } = draft.quiz
  if (certificate_percent === null) return []
  const reason = missingPoints(draft)
  const about = { field: 'certificate_percent' }
  return [
    ...(reason === undefined ? [] : [{ ...about, message: reason }]),
    ...insertionAndLinkErrors(draft, [
      {
        text: certificate_text ?? '',
        name: () => 'Le texte de l’attestation',
        about: { field: 'certificate_text' },
        nb_labels: undefined,
        more_names: CERTIFICATE_NAMES,
      },
    ]),
  ]
}

/** Returns the French reason why no run can have a percent of points; undefined if runs can. */
const missingPoints = ({ quiz, quiz_mode, questions }: PublishCheckInput): string | undefined => {
  if (isSondage(quiz))
    return 'Un sondage n’a pas de points : retirez l’attestation, ou choisissez le type Quiz'
  if (quiz_mode !== 'score')
    return 'L’attestation demande un quiz par score : donnez des scores aux réponses, ou retirez l’attestation'
  const canVary = questions.some((question) => {
    if (isBlank({ kind: 'question', question })) return false
    const { from, to } = pointsRangeOf({ ...question, answers: nonBlankAnswers(question) })
    return from < to
  })
  return canVary
    ? undefined
    : 'Toutes les réponses donnent le même nombre de points : l’attestation n’a pas de pourcentage à mesurer'
}
