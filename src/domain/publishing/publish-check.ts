import { excerpt, isBlankText } from '#domain/common/text.ts'
import { MIN_RESULTS } from '#domain/common/vocabulary.ts'
import {
  type Answer,
  type Draft,
  type ImageFields,
  isChoice,
  isSondage,
  JUMP_TO_END,
  JUMP_TO_NOWHERE,
  type Question,
  type Quiz,
  type Result,
} from '#domain/questionnaire/quiz.ts'
import { dropInvalidTieQuestion } from '#domain/questionnaire/references.ts'
import { isBlank, nonBlankAnswers, visiblePages } from '#domain/questionnaire/snapshot.ts'
import { endButtonErrors, resultButtonErrors } from './button-check.ts'
import { contactRoleErrors } from './contact-role-check.ts'
import type { PublishCheckInput } from './insertable-names.ts'
import { EXCERPT_CHARACTERS, type PublishError } from './publish-error.ts'

/**
 * Returns an error for each image on the public page that has no description and is not marked as decorative. The
 * text of an answer describes its image.
 */
const imageErrors = ({ quiz, questions, results }: PublishCheckInput): PublishError[] => {
  const welcome = { image_id: quiz.welcome_image_id, image_alt: quiz.welcome_image_alt }
  const ends = isSondage(quiz) ? [] : results
  return [
    ...imageErrorsOf(welcome, () => 'de l’accueil', { field: 'welcome_image_alt' }),
    ...questions
      .filter((question) => !isBlank({ kind: 'question', question }))
      .flatMap((question) =>
        imageErrorsOf(
          question,
          () => `de la question « ${excerpt(question.text, EXCERPT_CHARACTERS)} »`,
          {
            question_id: question.id,
            field: 'image_alt',
          },
        ),
      ),
    ...ends.flatMap((result) =>
      imageErrorsOf(result, () => `du résultat « ${excerpt(result.name, EXCERPT_CHARACTERS)} »`, {
        result_id: result.id,
        field: 'image_alt',
      }),
    ),
  ]
}

/**
 * Returns an error for each answer with an image and no text, because the public page omits answers without text.
 */
const imageOnlyErrors = (questions: readonly Question[]): PublishError[] =>
  questions.filter(isChoice).flatMap(({ id, text, answers }) =>
    answers.flatMap((answer, index) => {
      if (answer.image_id === null || isWritten(answer)) return []
      const name = `L’image de la réponse ${index + 1} de la question « ${excerpt(text, ANSWER_EXCERPT)} »`
      const message = `${name} n’a pas de texte : écrivez la réponse, ou retirez l’image`
      return [{ message, question_id: id, answer_id: answer.id, field: 'text' }]
    }),
  )

/** Fields of a draft that describe images. */
type WithImages = Pick<Draft, 'questions' | 'results'> & {
  quiz: Pick<Quiz, 'welcome_image_alt'>
}

/** Returns the draft with each image that has an error of `imageErrors` marked as decorative. */
export const markImagesDecorative = <D extends PublishCheckInput & WithImages>(draft: D): D => {
  const errors = imageErrors(draft)
  const ids = new Set(errors.map(({ question_id, result_id }) => question_id ?? result_id))
  const marked = <Row extends { id: string; image_alt: string | null }>(row: Row): Row =>
    ids.has(row.id) ? { ...row, image_alt: '' } : row
  return {
    ...draft,
    quiz: ids.has(undefined) ? { ...draft.quiz, welcome_image_alt: '' } : draft.quiz,
    questions: draft.questions.map(marked),
    results: draft.results.map(marked),
  }
}

/** Returns true for an error about an image without a description. */
export const isImageError = ({ field }: PublishError): boolean =>
  field === 'image_alt' || field === 'welcome_image_alt'

const imageErrorsOf = (
  { image_id, image_alt }: ImageFields,
  /** Called only if there is an error, because the editor checks the draft at each keystroke. */
  nameOf: () => string,
  about: Omit<PublishError, 'message'>,
): PublishError[] =>
  image_id !== null && (image_alt === null || (image_alt !== '' && isBlankText(image_alt)))
    ? [{ ...about, message: `Décrivez l’image ${nameOf()}, ou cochez « Image décorative »` }]
    : []

const QUESTION_EXCERPT = 50
const ANSWER_EXCERPT = 30

const isWritten = ({ text }: { text: string }): boolean => !isBlankText(text)

/** Returns the errors of the two checks that the results and settings screens make (product 6.3). */
export const basicPublishErrors = ({
  quiz,
  questions,
  results,
}: {
  quiz: Pick<Quiz, 'type'>
  results: readonly Result[]
  questions: readonly { text: string }[]
}): PublishError[] => {
  const errors: PublishError[] = []
  if (!questions.some(isWritten))
    errors.push({ message: 'Il faut au moins une question pour publier le quiz' })
  if (!isSondage(quiz) && results.length < MIN_RESULTS)
    errors.push({ message: `Il faut au moins ${MIN_RESULTS} résultats pour publier le quiz` })
  return errors
}

/** Returns the errors that the editor finds without `textPublishErrors` (product 6.2). */
export const commonPublishErrors = (draft: PublishCheckInput): PublishError[] => [
  ...countErrors(draft),
  ...jumpErrors(draft, nameAnswer),
  ...tieErrors(draft),
  ...imageOnlyErrors(draft.questions),
  ...imageErrors(draft),
  ...contactRoleErrors(draft.questions),
]

const countErrors = (draft: PublishCheckInput): PublishError[] => {
  const choices = draft.questions.filter(isChoice)
  const errors = [...basicPublishErrors(draft), ...choices.flatMap(missingAnswers)]
  if (isSondage(draft.quiz)) return [...errors, ...endButtonErrors(draft.quiz)]
  errors.push(...draft.results.flatMap(resultButtonErrors))
  if (draft.quiz_mode === 'score')
    return [...errors, ...missingThresholds(draft), ...choices.flatMap(missingScores)]
  if (draft.quiz_mode === 'profils') return [...errors, ...choices.flatMap(missingAssociations)]
  return errors
}

const missingAnswers = (question: Question): PublishError[] =>
  question.answers.some(isWritten)
    ? []
    : [
        {
          message: `La question "${excerpt(question.text, QUESTION_EXCERPT)}..." n'a aucune réponse`,
          question_id: question.id,
        },
      ]

const missingThresholds = ({ results }: PublishCheckInput): PublishError[] =>
  results
    .filter(({ min_score, max_score }) => min_score === null || max_score === null)
    .map(({ id, name }) => ({
      message: `Le résultat "${name}" n'a pas de palier de score défini`,
      result_id: id,
    }))

const missingScores = (question: Question): PublishError[] =>
  question.answers
    .filter((answer) => isWritten(answer) && answer.score === null)
    .map((answer) => ({
      message: `${nameAnswer(answer, question)} doit avoir un score`,
      question_id: question.id,
      answer_id: answer.id,
    }))

const missingAssociations = (question: Question): PublishError[] =>
  question.answers
    .filter((answer) => isWritten(answer) && !answer.associations.some((link) => link.is_checked))
    .map((answer) => ({
      message: `${nameAnswer(answer, question)} doit être associée à au moins un résultat`,
      question_id: question.id,
      answer_id: answer.id,
    }))

const nameAnswer = (answer: { text: string }, question: { text: string }): string =>
  `La réponse "${excerpt(answer.text, ANSWER_EXCERPT)}" de la question "${excerpt(question.text, ANSWER_EXCERPT)}"`

/**
 * Returns an error if a question must decide ties and none is chosen, because the order of results would decide
 * unnoticed.
 */
export const tieErrors = (draft: PublishCheckInput): PublishError[] => {
  const { quiz, quiz_mode } = dropInvalidTieQuestion(draft)
  const isMissing =
    !isSondage(quiz) &&
    quiz_mode === 'profils' &&
    quiz.tie_rule === 'question' &&
    quiz.tie_question_id === null
  if (!isMissing) return []
  const message = 'Choisissez la question qui départage les résultats à égalité, ou une autre règle'
  return [{ message, field: 'tie_question_id' }]
}

/**
 * Returns an error for each visible answer whose jump leads to no later page, with its name from `nameOf`. A run
 * would go to the following page instead.
 */
const jumpErrors = (
  content: Pick<Draft, 'questions' | 'text_blocks'>,
  nameOf: (answer: Answer, question: Question) => string,
): PublishError[] => {
  const jumpsToPage = ({ answers }: Question): boolean =>
    answers.some(({ jump_to }) => jump_to !== null && jump_to !== JUMP_TO_END)
  if (!content.questions.some(jumpsToPage)) return []
  const visible = new Set(visiblePages(content).map(({ number }) => number))
  return content.questions.filter(isChoice).flatMap((question) =>
    nonBlankAnswers(question).flatMap((answer) => {
      const fault = jumpFault(answer, question, visible)
      if (!fault) return []
      const about = { question_id: question.id, answer_id: answer.id, field: 'jump_to' }
      return [{ message: `${nameOf(answer, question)} ${fault}`, ...about }]
    }),
  )
}

const jumpFault = (
  { jump_to }: Answer,
  { page_number }: Question,
  visible: ReadonlySet<number>,
): string | undefined => {
  if (jump_to === null || jump_to === JUMP_TO_END) return undefined
  if (jump_to === JUMP_TO_NOWHERE) return 'mène à une page qui a été supprimée'
  if (jump_to === page_number) return 'mène à sa propre page'
  if (jump_to < page_number) return `mène à la page ${jump_to}, qui vient avant la sienne`
  return visible.has(jump_to) ? undefined : `mène à la page ${jump_to}, où il n’y a rien à voir`
}
