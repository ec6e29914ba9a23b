import { excerpt } from '#domain/common/text.ts'
import { isChoice, isSondage, type Question } from '#domain/questionnaire/quiz.ts'
import { isBlank, nonBlankAnswers } from '#domain/questionnaire/snapshot.ts'
import type { PublishCheckInput } from './insertable-names.ts'
import { EXCERPT_CHARACTERS, type PublishError } from './publish-error.ts'

/**
 * Returns an error if corrections are shown and no question has a right answer. Other errors are questions on which no
 * reply can be right, and « Tout ou rien » without a right answer.
 */
export const correctionErrors = ({ quiz, questions }: PublishCheckInput): PublishError[] => {
  if (isSondage(quiz)) return []
  const corrected = questions.filter(
    (question) => isChoice(question) && !isBlank({ kind: 'question', question }),
  )
  const errors = corrected.flatMap(questionErrors)
  if (quiz.shows_corrections === 'never' || corrected.some((question) => countRight(question) > 0))
    return errors
  const message =
    'Les corrections sont montrées, mais aucune question n’a de bonne réponse : cochez-en, ou choisissez « Jamais »'
  return [{ message, field: 'shows_corrections' }, ...errors]
}

const countRight = (question: Question): number =>
  nonBlankAnswers(question).filter(({ is_correct }) => is_correct).length

const questionErrors = (question: Question): PublishError[] => {
  const { id, text, max_choices, all_or_nothing } = question
  const nb_right = countRight(question)
  const name = `La question « ${excerpt(text, EXCERPT_CHARACTERS)} »`
  if (max_choices !== null && nb_right > max_choices) {
    const limit_label = max_choices === 1 ? 'un seul choix' : `${max_choices} choix au plus`
    const message = `${name} a ${nb_right} bonnes réponses et accepte ${limit_label} : personne ne peut répondre juste`
    return [{ message, question_id: id, field: 'is_correct' }]
  }
  if (!all_or_nothing || nb_right > 0 || max_choices === 1) return []
  const message = `${name} compte en tout ou rien sans avoir de bonne réponse : cochez-en une, ou désactivez « Tout ou rien »`
  return [{ message, question_id: id, field: 'is_correct' }]
}
