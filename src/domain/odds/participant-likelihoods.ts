import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { Likelihoods } from '#domain/run/possible-choices.ts'
import { maxChoicesOf, OTHER_NAME, scaleOf } from '#domain/run/replies.ts'
import type { QuestionFigures, QuestionStats } from '#domain/statistics/question-figures.ts'
import type { GivenLikelihoods } from './odds.ts'

/** Weights of answers, and the sum of the weights of all sets of them that may be chosen. */
export type FittedWeights = { replies: number[]; sum: number }

const ROUNDS = 200
/** So near to what was counted, of 1, is near enough. */
const NEAR = 1e-6
/** What a weight begins with: so small that sets of one answer come first, and those of several as counts ask for them. */
const BEGIN = 0.01
/** Of an answer that every participant chose; the product of a hundred such is still a number. */
const LARGEST = 1_000

/**
 * Weights by which each answer is chosen as often as it was counted, when a set of answers, of one to `most`, is as
 * likely as the product of theirs: of all distributions with these counts the one that supposes least. Where fewer were
 * counted than answered, as of answers that are gone, those counted are taken as one of each participant.
 */
export const fittedWeights = (
  counts: readonly number[],
  { nb_answered, most }: { nb_answered: number; most: number },
): FittedWeights => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (most <= 1) return { replies: [...counts], sum: total }
  const wanted = counts.map((count) => count / Math.max(1, Math.min(nb_answered, total)))
  let replies = counts.map((count) => (BEGIN * count) / total)
  let sets = setsOf(replies, most)
  for (let round = 0; round < ROUNDS; round++) {
    const { shares } = sets
    if (shares.every((share, rank) => Math.abs(share - (wanted[rank] ?? 0)) < NEAR)) break
    replies = replies.map((weight, rank) => {
      const share = shares[rank] ?? 0
      return share === 0 ? 0 : Math.min(LARGEST, (weight * (wanted[rank] ?? 0)) / share)
    })
    sets = setsOf(replies, most)
  }
  return { replies, sum: sets.sum }
}

/** The sum of the weights of all sets of one to `most`, and the share of it of those that have each answer. */
const setsOf = (weights: readonly number[], most: number): { sum: number; shares: number[] } => {
  const none = Array.from({ length: most + 1 }, (_, size) => Number(size === 0))
  const grown = (sets: readonly number[], weight: number): number[] =>
    sets.map((sum, size) => sum + weight * (sets[size - 1] ?? 0))
  /** By size: the sets of the answers before each, and of those after each. */
  const before = [none]
  for (const weight of weights) before.push(grown(before.at(-1) ?? none, weight))
  const sum = (before.at(-1) ?? none).slice(1).reduce((all, sets) => all + sets, 0)
  const shares: number[] = []
  let after = none
  for (let rank = weights.length - 1; rank >= 0; rank--) {
    const weight = weights[rank] as number
    const upTo: number[] = []
    for (const [size, sets] of after.entries()) upTo[size] = (upTo[size - 1] ?? 0) + sets
    const beside = (before[rank] ?? none).reduce(
      (all, sets, size) => all + sets * (upTo[most - 1 - size] ?? 0),
      0,
    )
    shares[rank] = (weight * beside) / sum
    after = grown(after, weight)
  }
  return { sum, shares }
}

/** With fewer participants their replies tell more of chance than of them. */
export const MIN_PARTICIPANTS_FOR_LIKELIHOODS = 30

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
  if (figures.nb_participants < MIN_PARTICIPANTS_FOR_LIKELIHOODS) return null
  const given = new Map<string, Likelihoods>()
  for (const question of questions) {
    const { answers } = stats[question.id] ?? { answers: [] }
    const { nb_seen = 0, nb_answered = 0 } = figures.questions[question.id] ?? {}
    const counts = countsOf(question, answers)
    if (!counts.every((count) => count !== undefined) || !counts.some((count) => count > 0))
      continue
    const most = isChoice(question) ? maxChoicesOf(question) : 1
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
