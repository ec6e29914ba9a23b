import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { Likelihoods } from '#domain/run/choice-weights.ts'
import { maxChoicesOf, OTHER_NAME, scaleOf } from '#domain/run/replies.ts'
import type { QuestionFigures, QuestionStats } from '#domain/statistics/question-figures.ts'
import type { LikelihoodsByQuestion } from './run-sums.ts'

/** Weights of the answers, and the sum of the weights of all allowed sets of answers. */
export type FittedWeights = { replies: number[]; sum: number }

const MAX_ROUNDS = 200
/** Maximum difference between the counted and the fitted share of an answer. */
const TOLERANCE = 1e-6
/**
 * Factor of the initial weights. Small weights favour sets of one answer; the iteration then adapts them to the counts.
 */
const INITIAL_FACTOR = 0.01
/**
 * Largest weight, for an answer that every participant chose; the product of a hundred such weights does not
 * overflow.
 */
const MAX_WEIGHT = 1_000

/**
 * Fits weights of answers by iterative scaling, so that random sets of 1 to `max_answers` answers reproduce the counts
 * (maximum entropy). The likelihood of a set is the product of its weights. Shares are relative to `nb_answered`, or to
 * the number of chosen answers if that is lower.
 */
export const fitWeights = (
  counts: readonly number[],
  { nb_answered, max_answers }: { nb_answered: number; max_answers: number },
): FittedWeights => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (max_answers <= 1) return { replies: [...counts], sum: total }
  const targetShares = counts.map((count) => count / Math.max(1, Math.min(nb_answered, total)))
  let replies = counts.map((count) => (INITIAL_FACTOR * count) / total)
  let sets = computeSetShares(replies, max_answers)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { shares } = sets
    if (shares.every((share, rank) => Math.abs(share - (targetShares[rank] ?? 0)) < TOLERANCE))
      break
    replies = replies.map((weight, rank) => {
      const share = shares[rank] ?? 0
      return share === 0 ? 0 : Math.min(MAX_WEIGHT, (weight * (targetShares[rank] ?? 0)) / share)
    })
    sets = computeSetShares(replies, max_answers)
  }
  return { replies, sum: sets.sum }
}

/** Returns the total weight of all sets of 1 to `max_answers` answers, and the share of each answer in that weight. */
const computeSetShares = (
  weights: readonly number[],
  max_answers: number,
): { sum: number; shares: number[] } => {
  const emptySetOnly = Array.from({ length: max_answers + 1 }, (_, size) => Number(size === 0))
  const addAnswer = (sets: readonly number[], weight: number): number[] =>
    sets.map((sum, size) => sum + weight * (sets[size - 1] ?? 0))
  /** Total weights of sets by size; element `rank` covers the answers before `rank`. */
  const before = [emptySetOnly]
  for (const weight of weights) before.push(addAnswer(before.at(-1) ?? emptySetOnly, weight))
  const sum = (before.at(-1) ?? emptySetOnly).slice(1).reduce((all, sets) => all + sets, 0)
  const shares: number[] = []
  /** Total weights, by size, of the sets of the answers after the current answer. */
  let after = emptySetOnly
  for (let rank = weights.length - 1; rank >= 0; rank--) {
    const weight = weights[rank] as number
    const cumulative: number[] = []
    for (const [size, sets] of after.entries())
      cumulative[size] = (cumulative[size - 1] ?? 0) + sets
    // Weight of all sets of other answers that leave room for one more answer.
    const others_weight = (before[rank] ?? emptySetOnly).reduce(
      (all, sets, size) => all + sets * (cumulative[max_answers - 1 - size] ?? 0),
      0,
    )
    shares[rank] = (weight * others_weight) / sum
    after = addAnswer(after, weight)
  }
  return { sum, shares }
}

/** Minimum number of participants, because a smaller sample says little about future replies. */
export const MIN_PARTICIPANTS_FOR_LIKELIHOODS = 30

/** Statistics of past participants by question id. */
export type ParticipantCounts = {
  stats: Readonly<Record<string, QuestionStats>>
  figures: {
    nb_participants: number
    questions: Readonly<Record<string, Pick<QuestionFigures, 'nb_seen' | 'nb_answered'>>>
  }
}

/**
 * Estimates the likelihoods of replies by question id from the replies of past participants. Omits questions without
 * replies or with an answer that no participant saw. Returns null below MIN_PARTICIPANTS_FOR_LIKELIHOODS.
 */
export const estimateParticipantLikelihoods = (
  { questions }: { questions: readonly SnapshotQuestion[] },
  { stats, figures }: ParticipantCounts,
): LikelihoodsByQuestion | null => {
  if (figures.nb_participants < MIN_PARTICIPANTS_FOR_LIKELIHOODS) return null
  const likelihoods = new Map<string, Likelihoods>()
  for (const question of questions) {
    const { answers } = stats[question.id] ?? { answers: [] }
    const { nb_seen = 0, nb_answered = 0 } = figures.questions[question.id] ?? {}
    const counts = countsByReply(question, answers)
    if (!counts.every((count) => count !== undefined) || !counts.some((count) => count > 0))
      continue
    const max_answers = isChoice(question) ? maxChoicesOf(question) : 1
    const weights = fitWeights(counts, { nb_answered, max_answers })
    const blank = nb_answered > 0 ? (weights.sum * (nb_seen - nb_answered)) / nb_answered : 0
    likelihoods.set(question.id, { replies: weights.replies, blank })
  }
  return likelihoods
}

/**
 * Returns how often each answer (« Autre » last) or each scale number was chosen. Answers are matched by text. A count
 * is undefined if the statistics do not have the answer, because no participant saw it.
 */
const countsByReply = (
  question: SnapshotQuestion,
  lines: QuestionStats['answers'],
): (number | undefined)[] => {
  const remaining = [...lines]
  const take = (index: number): number | undefined =>
    remaining.splice(index, index < 0 ? 0 : 1)[0]?.count
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    return Array.from({ length: to - from + 1 }, (_, rank) =>
      take(remaining.findIndex(({ answer_text }) => answer_text === `${from + rank}`)),
    )
  }
  if (!isChoice(question)) return []
  // An answer may also have the text « Autre »; the option « Autre » is always the last line with this text.
  const others = question.has_other
    ? [take(remaining.findLastIndex(({ answer_text }) => answer_text === OTHER_NAME))]
    : []
  // Answers with equal texts have separate lines in the order of the answers.
  const counts = question.answers.map(({ text }) =>
    take(remaining.findIndex(({ answer_text }) => answer_text === text)),
  )
  return [...counts, ...others]
}
