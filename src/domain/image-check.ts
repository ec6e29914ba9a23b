import { isBlankText } from './blank-text.ts'
import { excerpt } from './cut-text.ts'
import type { PublishError } from './publish-error.ts'
import { isChoice, isSondage, type Pictured, type Question } from './quiz.ts'
import { isBlank } from './snapshot.ts'
import type { WrittenDraft } from './text-check.ts'

const EXCERPT = 40

/** An error for each picture on the public page that has no description and is not marked as decorative. */
export const imageErrors = ({ quiz, questions, results }: WrittenDraft): PublishError[] => {
  const welcome = { image_id: quiz.welcome_image_id, image_alt: quiz.welcome_image_alt }
  const ends = isSondage(quiz) ? [] : results
  return [
    ...errorsOf(welcome, () => 'de l’accueil', { field: 'welcome_image_alt' }),
    ...questions.filter((question) => !isBlank({ kind: 'question', question })).flatMap(ofQuestion),
    ...ends.flatMap((result) =>
      errorsOf(result, () => `du résultat « ${excerpt(result.name, EXCERPT)} »`, {
        result_id: result.id,
        field: 'image_alt',
      }),
    ),
  ]
}

const ofQuestion = (question: Question): PublishError[] => {
  const question_id = question.id
  const answers = isChoice(question)
    ? question.answers.filter(({ text }) => !isBlankText(text))
    : []
  return [
    ...errorsOf(question, () => `de la question « ${excerpt(question.text, EXCERPT)} »`, {
      question_id,
      field: 'image_alt',
    }),
    ...answers.flatMap((answer) =>
      errorsOf(answer, () => `de la réponse « ${excerpt(answer.text, EXCERPT)} »`, {
        question_id,
        answer_id: answer.id,
        field: 'image_alt',
      }),
    ),
  ]
}

const errorsOf = (
  { image_id, image_alt }: Pictured,
  /** Called where it is needed: most pictures have what they need, and a draft is checked at each letter. */
  whose: () => string,
  about: Omit<PublishError, 'message'>,
): PublishError[] =>
  image_id !== null && (image_alt === null || (image_alt !== '' && isBlankText(image_alt)))
    ? [{ ...about, message: `Décrivez l’image ${whose()}, ou cochez « Image décorative »` }]
    : []
