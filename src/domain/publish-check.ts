import { isBlankText } from './blank-text.ts'
import { excerpt } from './cut-text.ts'
import { imageErrors } from './image-check.ts'
import { jumpErrors } from './jump-check.ts'
import type { PublishError } from './publish-error.ts'
import { isChoice, isSondage, type Question, type Quiz, type Result } from './quiz.ts'
import { textErrors, type WrittenDraft } from './text-check.ts'
import { tieErrors } from './tie-question.ts'
import { MINIMUM_RESULTS } from './vocabulary.ts'

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
  if (!isSondage(quiz) && results.length < MINIMUM_RESULTS)
    errors.push({ message: 'Il faut au moins 2 résultats pour publier le quiz' })
  return errors
}

/** Every reason why this draft cannot be published, in French; empty when it can (spec §5). */
export const publishErrors = (draft: WrittenDraft): PublishError[] => [
  ...countErrors(draft),
  ...jumpErrors(draft, nameAnswer),
  ...tieErrors(draft),
  ...textErrors(draft),
  ...imageErrors(draft),
]

const countErrors = (draft: WrittenDraft): PublishError[] => {
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

const halfOfEnd = ({ quiz }: WrittenDraft): PublishError[] => {
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

const missingThresholds = ({ results }: WrittenDraft): PublishError[] =>
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
