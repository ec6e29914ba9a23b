import { fittedWeights } from './fitted-weights.ts'
import type { GivenLikelihoods } from './odds.ts'
import type { Likelihoods } from './odds-choices.ts'
import type { QuestionFigures } from './question-figures.ts'
import { isChoice } from './quiz.ts'
import { mostChoices, OTHER_NAME, scaleOf } from './replies.ts'
import type { SnapshotQuestion } from './snapshot.ts'
import type { QuestionStats } from './statistics.ts'

/** With fewer participants their replies tell more of chance than of them. */
export const LEAST_PARTICIPANTS = 30

/** What the statistics say of the participants: counts per question, by its id. */
export type Answered = {
  stats: Readonly<Record<string, QuestionStats>>
  figures: {
    nb_participants: number
    questions: Readonly<Record<string, Pick<QuestionFigures, 'nb_seen' | 'nb_answered'>>>
  }
}

/**
 * How likely the replies to each question are, by its id, as often as participants gave them, answers being known by
 * their texts. A question without replies is left out, so that its replies are equally likely, and so is one with a reply
 * that no participant was offered, as one that reads otherwise now. Null with fewer than thirty participants.
 */
export const participantLikelihoods = (
  { questions }: { questions: readonly SnapshotQuestion[] },
  { stats, figures }: Answered,
): GivenLikelihoods | null => {
  if (figures.nb_participants < LEAST_PARTICIPANTS) return null
  const given = new Map<string, Likelihoods>()
  for (const question of questions) {
    const { answers } = stats[question.id] ?? { answers: [] }
    const { nb_seen = 0, nb_answered = 0 } = figures.questions[question.id] ?? {}
    const counts = countsOf(question, answers)
    if (!counts.every((count) => count !== undefined) || !counts.some((count) => count > 0))
      continue
    const most = isChoice(question) ? mostChoices(question) : 1
    const weights = fittedWeights(counts, { nb_answered, most })
    const blank = nb_answered > 0 ? (weights.sum * (nb_seen - nb_answered)) / nb_answered : 0
    given.set(question.id, { replies: weights.replies, blank })
  }
  return given
}

/**
 * How often each reply was given that may be listed: each answer, then « Autre »; each number of a scale. What was offered
 * has a line, with a count of 0 where no participant gave it; undefined where it was not offered.
 */
const countsOf = (
  question: SnapshotQuestion,
  lines: QuestionStats['answers'],
): (number | undefined)[] => {
  const left = [...lines]
  const take = (index: number): number | undefined =>
    left.splice(index, index < 0 ? 0 : 1)[0]?.count
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    return Array.from({ length: to - from + 1 }, (_, rank) =>
      take(left.findIndex(({ answer_text }) => answer_text === `${from + rank}`)),
    )
  }
  if (!isChoice(question)) return []
  // Its line is the last, though an answer may be called the same.
  const others = question.has_other
    ? [take(left.findLastIndex(({ answer_text }) => answer_text === OTHER_NAME))]
    : []
  // Of answers with the same text each has a line of its own, in their order.
  const counts = question.answers.map(({ text }) =>
    take(left.findIndex(({ answer_text }) => answer_text === text)),
  )
  return [...counts, ...others]
}
