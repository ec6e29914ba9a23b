import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { OTHER_NAME, scaleOf } from '#domain/run/replies.ts'
import { replyPlaces } from '#domain/run/stored-replies.ts'
import type { AnsweredVersion } from './asked-questions.ts'
import { createWordingFilter, type Wording, wordingFilters } from './wordings.ts'

/**
 * A reply that participants can be filtered by: the id of an answer, `<answer id>@2` as version 2 words it,
 * `<question id>:other`, or `<question id>:7` of a scale.
 */
type FilterAnswer = { id: string; text: string }
export type FilterChoices = {
  results: { id: string; name: string }[]
  questions: { id: string; text: string; answers: FilterAnswer[] }[]
}

/** The last part of the id by which « Autre… » of a question is filtered. */
const OTHER_CHOICE = 'other'
const SEPARATOR = ':'

/** How many replies participants can be filtered by at once. */
export const MAX_FILTER_ANSWERS = 5

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

const EVERY_WORDING = '(tous les libellés)'

/**
 * Results and replies of the versions that were taken, each once, in the words of the newest; then, of those that
 * were reworded, each wording.
 */
export const filterChoices = (taken: readonly AnsweredVersion[]): FilterChoices => {
  const newest = [...taken].sort((a, b) => b.version - a.version)
  const questions = new Map<string, { id: string; text: string; answers: Wording[] }>()
  for (const { version, snapshot } of newest) {
    for (const question of snapshot.questions) {
      const answers = numberedAnswers(question)
      if (answers.length === 0) continue
      const { id, text } = question
      const known = questions.get(id) ?? { id, text, answers: [] }
      questions.set(id, known)
      known.answers.push(...answers.map(({ id, text }) => ({ id, text, version })))
    }
  }
  return {
    results: choicesOf(resultWordings(newest)).map(({ id, text: name }) => ({ id, name })),
    questions: [...questions.values()].map(({ answers, ...question }) => ({
      ...question,
      answers: choicesOf(answers),
    })),
  }
}

/** Of these, newest first. */
const choicesOf = (all: readonly Wording[]): FilterAnswer[] => {
  const filterOf = wordingFilters(all)
  const choices = new Map<string, string>()
  const wordings = new Map<string, string>()
  for (const one of all) {
    const { id, text } = one
    const filter = filterOf(one)
    if (filter !== id && !wordings.has(filter)) wordings.set(filter, text)
    if (!choices.has(id)) choices.set(id, filter === id ? text : `${text} ${EVERY_WORDING}`)
  }
  return [...choices, ...wordings].map(([id, text]) => ({ id, text }))
}

/** The results of versions, each in its words. */
export const resultWordings = (
  versions: readonly {
    version: number
    snapshot: { results: readonly { id: string; name: string }[] }
  }[],
): Wording[] =>
  versions.flatMap(({ version, snapshot }) =>
    snapshot.results.map(({ id, name: text }) => ({ id, text, version })),
  )

/** The replies of versions that are stored as numbers, each in its words. */
export const answerWordings = (versions: readonly AnsweredVersion[]): Wording[] =>
  versions.flatMap(({ version, snapshot }) =>
    snapshot.questions.flatMap((question) =>
      numberedAnswers(question).map(({ id, text }) => ({ id, text, version })),
    ),
  )

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

/** The places of replies, by what they are filtered by, in the versions that have them. */
export const answerPlaces = (
  versions: readonly AnsweredVersion[],
  answers: readonly string[],
): (AnswerPlace & { answers: string[] })[] => {
  const worded = answerWordings(versions)
  const asked = answers.map((answer) => ({ answer, isMeant: createWordingFilter(worded, answer) }))
  return versions.flatMap(({ version, snapshot }) =>
    replyPlaces(snapshot).flatMap(({ question, slot, nb_slots }) =>
      numberedAnswers(question).flatMap(({ number, ...one }) => {
        const meant = asked.filter(({ isMeant }) => isMeant(one)).map(({ answer }) => answer)
        if (meant.length === 0) return []
        return {
          ...{ answers: meant, version, question_id: question.id },
          question_position: question.position,
          answer_position: number,
          first_slot: slot + 1,
          last_slot: slot + nb_slots,
        }
      }),
    ),
  )
}
