import { excerpt, isBlankText } from '#domain/common/text.ts'
import { MIN_RESULTS } from '#domain/common/vocabulary.ts'
import type { PublishError } from '#domain/questionnaire/publish-error.ts'
import {
  type ImageFields,
  isChoice,
  isSondage,
  type Question,
  type Quiz,
  type Result,
} from '#domain/questionnaire/quiz.ts'
import { isBlank } from '#domain/questionnaire/snapshot.ts'
import { tieErrors } from '#domain/questionnaire/tie-question.ts'
import { jumpErrors } from './reachability.ts'
import { type PublishCheckInput, textErrors } from './text-check.ts'

const EXCERPT = 40

/** An error for each picture on the public page that has no description and is not marked as decorative. */
const imageErrors = ({ quiz, questions, results }: PublishCheckInput): PublishError[] => {
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
  { image_id, image_alt }: ImageFields,
  /** Called where it is needed: most pictures have what they need, and a draft is checked at each letter. */
  whose: () => string,
  about: Omit<PublishError, 'message'>,
): PublishError[] =>
  image_id !== null && (image_alt === null || (image_alt !== '' && isBlankText(image_alt)))
    ? [{ ...about, message: `Décrivez l’image ${whose()}, ou cochez « Image décorative »` }]
    : []

const QUESTION_EXCERPT = 50
const ANSWER_EXCERPT = 30

const isWritten = ({ text }: { text: string }): boolean => !isBlankText(text)

/** The two checks that the results and settings screens make (spec §5 « Publish validation »). */
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
    errors.push({ message: 'Il faut au moins 2 résultats pour publier le quiz' })
  return errors
}

/** Every reason why this draft cannot be published, in French; empty when it can (spec §5). */
export const publishErrors = (draft: PublishCheckInput): PublishError[] => [
  ...countErrors(draft),
  ...jumpErrors(draft, nameAnswer),
  ...tieErrors(draft),
  ...textErrors(draft),
  ...imageErrors(draft),
]

const countErrors = (draft: PublishCheckInput): PublishError[] => {
  const choices = draft.questions.filter(isChoice)
  const errors = [...basicPublishErrors(draft), ...choices.flatMap(missingAnswers)]
  if (isSondage(draft.quiz)) return [...errors, ...halfOfEnd(draft)]
  errors.push(...draft.results.flatMap(halfOfResult))
  if (draft.quiz_mode === 'score')
    return [...errors, ...missingThresholds(draft), ...choices.flatMap(missingScores)]
  if (draft.quiz_mode === 'profils') return [...errors, ...choices.flatMap(missingAssociations)]
  return errors
}

/** What a button lacks, which has words without an address, or the reverse. */
const lackedBy = (text: string | null, address: string | null): 'text' | 'url' | undefined => {
  if (isFilled(text) === isFilled(address)) return undefined
  return isFilled(text) ? 'url' : 'text'
}

const isFilled = (text: string | null): boolean => text !== null && isWritten({ text })
const LACKS = { text: "n'a pas de texte", url: "n'a pas d'adresse" }

const halfOfEnd = ({ quiz }: PublishCheckInput): PublishError[] => {
  const lack = lackedBy(quiz.end_button_text, quiz.end_button_url)
  return lack
    ? [{ message: `Le bouton de la fin ${LACKS[lack]}`, field: `end_button_${lack}` }]
    : []
}

const halfOfResult = ({ id, name, button_text, button_url }: Result): PublishError[] => {
  const lack = lackedBy(button_text, button_url)
  if (!lack) return []
  const message = `Le bouton du résultat "${name}" ${LACKS[lack]}`
  return [{ message, result_id: id, field: `button_${lack}` }]
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
