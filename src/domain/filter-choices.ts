import type { TakenVersion } from './asked-questions.ts'
import { isChoice } from './quiz.ts'
import { OTHER_NAME, scaleOf } from './replies.ts'
import type { SnapshotQuestion } from './snapshot.ts'
import { replyPlaces } from './stored-replies.ts'

/** A reply that participants can be filtered by: the id of an answer, or `<question id>:other`, or `<question id>:7` of a scale. */
type FilterAnswer = { id: string; text: string }
export type FilterChoices = {
  results: { id: string; name: string }[]
  questions: { id: string; text: string; answers: FilterAnswer[] }[]
}

/** The last part of the id by which « Autre… » of a question is filtered. */
const OTHER_CHOICE = 'other'
const SEPARATOR = ':'

/** How many replies participants can be filtered by at once. */
export const MOST_FILTER_ANSWERS = 5

/** The ids in the filter `answer`, each once and in one order; none of none. */
export const filteredAnswers = (answer: string | undefined): string[] =>
  answer ? [...new Set(answer.split(','))].sort() : []

/** The question whose « Autre… », or number of a scale, participants are filtered by; undefined of an answer's own id. */
export const filteredQuestion = (answer: string): string | undefined => {
  const [question_id, choice] = answer.split(SEPARATOR)
  return choice === undefined ? undefined : question_id
}

/** The replies to a question that are stored as numbers, each with its number; none of a question that takes text alone. */
export const numberedAnswers = (
  question: SnapshotQuestion,
): (FilterAnswer & { number: number })[] => {
  const { id, answers, has_other } = question
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index).map((number) => ({
      ...{ id: `${id}${SEPARATOR}${number}`, text: `${number}`, number },
    }))
  }
  if (!isChoice(question)) return []
  const other = { id: `${id}${SEPARATOR}${OTHER_CHOICE}`, text: OTHER_NAME, number: answers.length }
  return [
    ...answers.map(({ id, text }, number) => ({ id, text, number })),
    ...(has_other ? [other] : []),
  ]
}

/** Results and replies of the versions that were taken, each once, in the words of the newest. */
export const filterChoices = (taken: readonly TakenVersion[]): FilterChoices => {
  const newest = [...taken].sort((a, b) => b.version - a.version)
  const results = new Map<string, { id: string; name: string }>()
  const questions = new Map<
    string,
    { id: string; text: string; answers: Map<string, FilterAnswer> }
  >()
  for (const { snapshot } of newest) {
    for (const { id, name } of snapshot.results) if (!results.has(id)) results.set(id, { id, name })
    for (const question of snapshot.questions) {
      const answers = numberedAnswers(question)
      if (answers.length === 0) continue
      const { id, text } = question
      const known = questions.get(id) ?? { id, text, answers: new Map() }
      questions.set(id, known)
      for (const answer of answers)
        if (!known.answers.has(answer.id))
          known.answers.set(answer.id, { id: answer.id, text: answer.text })
    }
  }
  return {
    results: [...results.values()],
    questions: [...questions.values()].map(({ answers, ...question }) => ({
      ...question,
      answers: [...answers.values()],
    })),
  }
}

/** Where a reply is stored in the participants of each version: the number for it, in one of the slots of its question. */
export type AnswerPlace = {
  version: number
  question_id: string
  question_position: number
  /** Its number: the rank of an answer, or the number of a scale. */
  answer_position: number
  /** The first and the last slot of the question, from 1. */
  first_slot: number
  last_slot: number
}

/** The places of replies, by their ids, in the versions that have them. */
export const answerPlaces = (
  versions: readonly TakenVersion[],
  answers: readonly string[],
): (AnswerPlace & { answer: string })[] =>
  versions.flatMap(({ version, snapshot }) =>
    replyPlaces(snapshot).flatMap(({ question, slot, nb_slots }) =>
      numberedAnswers(question)
        .filter(({ id }) => answers.includes(id))
        .map(({ id, number }) => ({
          ...{ answer: id, version, question_id: question.id },
          question_position: question.position,
          answer_position: number,
          first_slot: slot + 1,
          last_slot: slot + nb_slots,
        })),
    ),
  )
