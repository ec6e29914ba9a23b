import { isChoice, type Replies } from './quiz.ts'
import { OTHER, scaleOf } from './replies.ts'
import type { SnapshotQuestion } from './snapshot.ts'

/** The ranks that are chosen of each question that a run passes and on which anything depends, by its id. */
export type ChosenRanks = ReadonlyMap<string, readonly number[]>

/** Replies of a run that makes these choices; where nothing depends on a reply, the first that may be given. */
export const repliesOf = (questions: readonly SnapshotQuestion[], chosen: ChosenRanks): Replies =>
  Object.fromEntries(
    questions.flatMap((question) => {
      const ranks = chosen.get(question.id) ?? defaultRanks(question)
      const parts = ranks.map((rank) => partOf(question, rank))
      return parts.length === 0 ? [] : [[question.id, parts.length > 1 ? parts : (parts[0] ?? '')]]
    }),
  )

const partOf = (question: SnapshotQuestion, rank: number): string => {
  if (question.type === 'scale') return `${scaleOf(question).from + rank}`
  return question.answers[rank]?.id ?? `${OTHER}…`
}

/** Of a compulsory choice or scale: its first. Texts are the reader's own. */
const defaultRanks = (question: SnapshotQuestion): number[] => {
  if (question.is_required === false) return []
  const isOffered = isChoice(question)
    ? question.answers.length > 0 || question.has_other === true
    : question.type === 'scale'
  return isOffered ? [0] : []
}
