import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { rightAnswersOf } from '#domain/run/corrections/corrections.ts'
import { canChooseSeveral } from '#domain/run/replies.ts'
import { BLANK, replyPlaces } from '#domain/run/stored-replies.ts'
import {
  type AnsweredVersion,
  type Appearance,
  askedQuestions,
  type ChoiceCount,
} from './asked-questions.ts'

/** Figures of a question with right answers, over the versions in which it had one. */
export type RightAnswerFigures = {
  question_id: string
  question_text: string
  /** Participants who saw the question, who answered it, and who chose exactly the right answers. */
  nb_asked: number
  nb_answered: number
  nb_right: number
}

/** Stored numbers of the right reply to a question with several choices. `first` and `last` are slots from 1. */
export type RightSlots = {
  version: number
  question_id: string
  first: number
  last: number
  numbers: (number | null)[]
}

/** Number of participants of a version whose reply to a question with several choices is right. */
export type RightSetCount = { version: number; question_id: string; count: number }

/** Returns the versions whose replies can be right or wrong. */
const correctedOf = (versions: readonly AnsweredVersion[]): AnsweredVersion[] =>
  versions.filter(({ is_sondage }) => !is_sondage)

const rightRanks = (question: SnapshotQuestion): number[] => {
  const right = rightAnswersOf(question)
  return question.answers.flatMap((answer, rank) => (right.includes(answer) ? rank : []))
}

/** Returns the stored numbers of the right replies to all questions with several choices. */
export const rightSlots = (versions: readonly AnsweredVersion[]): RightSlots[] =>
  correctedOf(versions).flatMap(({ version, snapshot }) =>
    replyPlaces(snapshot).flatMap(({ question, slot, nb_slots }): RightSlots[] => {
      const ranks = rightRanks(question)
      if (!canChooseSeveral(question) || ranks.length === 0 || ranks.length > nb_slots) return []
      const numbers = Array.from({ length: nb_slots }, (_, index) => ranks[index] ?? null)
      return [
        { version, question_id: question.id, first: slot + 1, last: slot + nb_slots, numbers },
      ]
    }),
  )

/**
 * Returns the figures of the corrected questions, hardest first, then in their order. Versions without a right answer to
 * the question do not count. A single choice is counted by its answers, several choices by `sets`.
 */
export const rightAnswerFigures = (
  versions: readonly AnsweredVersion[],
  choices: readonly ChoiceCount[],
  sets: readonly RightSetCount[],
): RightAnswerFigures[] =>
  askedQuestions(correctedOf(versions), choices)
    .map(({ question, text, appearances }) => {
      const corrected = appearances.filter(
        (appearance) => rightAnswersOf(appearance.question).length > 0,
      )
      return {
        question_id: question.id,
        question_text: text,
        nb_asked: sumOf(corrected, ({ nb_seen }) => nb_seen),
        nb_answered: sumOf(corrected, ({ nb_seen, countOf }) => nb_seen - countOf(BLANK)),
        nb_right: sumOf(corrected, (appearance) => countRight(appearance, sets)),
      }
    })
    .filter(({ nb_asked }) => nb_asked > 0)
    .sort((a, b) => a.nb_right * b.nb_asked - b.nb_right * a.nb_asked)

const sumOf = (
  appearances: readonly Appearance[],
  count: (appearance: Appearance) => number,
): number => appearances.reduce((sum, appearance) => sum + count(appearance), 0)

const countRight = (
  { version, question, countOf }: Appearance,
  sets: readonly RightSetCount[],
): number => {
  if (canChooseSeveral(question)) {
    const set = sets.find(
      (answer_set) => answer_set.version === version && answer_set.question_id === question.id,
    )
    return set?.count ?? 0
  }
  const [rank, ...others] = rightRanks(question)
  return rank === undefined || others.length > 0 ? 0 : countOf(rank)
}
