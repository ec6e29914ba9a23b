import { isBlankText } from '#domain/common/text.ts'
import { CONTACT_ROLE_LABELS, contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import { type Dimension, nameOfDimension } from '#domain/questionnaire/dimensions.ts'
import { isChoice, type Question } from '#domain/questionnaire/quiz.ts'
import { canHavePoints } from '#domain/questionnaire/shared-settings.ts'
import { isScaleFrom0To10 } from '#domain/questionnaire/used-settings.ts'

/** Returns the active options of a question as French text; '' without any. */
export const optionsLabel = (
  question: Question,
  { hasScores, dimensions }: { hasScores: boolean; dimensions: readonly Dimension[] },
): string => {
  const { is_required, help, label, max_choices, has_other, shuffles_answers } = question
  const words: string[] = []
  if (hasScores && question.dimension_id && canHavePoints(question))
    words.push(`dimension : ${nameOfDimension(dimensions, question.dimension_id)}`)
  if (!is_required) words.push('facultative')
  if (isChoice(question)) {
    if (max_choices !== 1) words.push(maxChoicesLabel(max_choices).toLowerCase())
    if (has_other) words.push('Autre…')
    if (shuffles_answers) words.push('ordre tiré au sort')
  }
  if (question.type === 'scale' && question.counts_in_score && hasScores)
    words.push('compte dans le score')
  if (question.type === 'scale' && isScaleFrom0To10(question) && question.shows_recommendation)
    words.push('recommandation nette (NPS)')
  const role = contactRoleOf(question)
  if (role) words.push(`coordonnée : ${CONTACT_ROLE_LABELS[role].toLowerCase()}`)
  if (!isBlankText(help ?? '')) words.push('texte d’aide')
  if (label && !isBlankText(label)) words.push(`nom court : ${label.trim()}`)
  const [first = '', ...others] = words
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' · ')
}

/** Returns the French label of the maximum number of chosen answers. */
export const maxChoicesLabel = (max_choices: number | null): string => {
  if (max_choices === null) return 'Autant de réponses que voulu'
  return max_choices === 1 ? 'Une seule' : `Jusqu’à ${max_choices} réponses`
}
