import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { Likelihoods } from '#domain/run/possible-choices.ts'
import { maxChoicesOf, OTHER_NAME, scaleOf } from '#domain/run/replies.ts'
import type { QuestionFigures, QuestionStats } from '#domain/statistics/question-figures.ts'
import type { GivenLikelihoods } from './odds.ts'

/** Weights of answers, and the sum of the weights of all allowed sets of them. */
export type FittedWeights = { replies: number[]; sum: number }

const MAX_ROUNDS = 200
/** Tolerance between counted and fitted shares. */
const TOLERANCE = 1e-6
/**
 * Initial factor of the weights. Small weights favour sets of one answer; the iteration then adapts to the counts.
 */
const INITIAL_FACTOR = 0.01
/**
 * Largest weight, for an answer that every participant chose; the product of a hundred such weights does not
 * overflow.
 */
const MAX_WEIGHT = 1_000

/**
 * Fits weights of answers by iterative scaling, so that sets of 1 to `most` answers reproduce the counts (maximum
 * entropy). The likelihood of a set is the product of its weights. If fewer answers were counted than participants
 * replied, each counted answer stands for one participant.
 */
export const fitWeights = (
  counts: readonly number[],
  { nb_answered, most }: { nb_answered: number; most: number },
): FittedWeights => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (most <= 1) return { replies: [...counts], sum: total }
  const wanted = counts.map((count) => count / Math.max(1, Math.min(nb_answered, total)))
  let replies = counts.map((count) => (INITIAL_FACTOR * count) / total)
  let sets = setsOf(replies, most)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { shares } = sets
    if (shares.every((share, rank) => Math.abs(share - (wanted[rank] ?? 0)) < TOLERANCE)) break
    replies = replies.map((weight, rank) => {
      const share = shares[rank] ?? 0
      return share === 0 ? 0 : Math.min(MAX_WEIGHT, (weight * (wanted[rank] ?? 0)) / share)
    })
    sets = setsOf(replies, most)
  }
  return { replies, sum: sets.sum }
}

/** Returns the total weight of all sets of 1 to `most` answers, and the share of the sets with each answer. */
const setsOf = (weights: readonly number[], most: number): { sum: number; shares: number[] } => {
  const none = Array.from({ length: most + 1 }, (_, size) => Number(size === 0))
  const grown = (sets: readonly number[], weight: number): number[] =>
    sets.map((sum, size) => sum + weight * (sets[size - 1] ?? 0))
  /** Weights of the sets of the answers before and after each answer, by size. */
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

/** Minimum number of participants, because the replies of fewer are mostly chance. */
export const MIN_PARTICIPANTS_FOR_LIKELIHOODS = 30

/** Counts of the statistics by question id. */
export type ParticipantCounts = {
  stats: Readonly<Record<string, QuestionStats>>
  figures: {
    nb_participants: number
    questions: Readonly<Record<string, Pick<QuestionFigures, 'nb_seen' | 'nb_answered'>>>
  }
}

/**
 * Returns the likelihoods of replies by question id, as often as participants gave them. Questions without replies,
 * or with an answer that no participant saw, are omitted. Null with fewer than MIN_PARTICIPANTS_FOR_LIKELIHOODS.
 */
export const participantLikelihoods = (
  { questions }: { questions: readonly SnapshotQuestion[] },
  { stats, figures }: ParticipantCounts,
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
    const weights = fitWeights(counts, { nb_answered, most })
    const blank = nb_answered > 0 ? (weights.sum * (nb_seen - nb_answered)) / nb_answered : 0
    given.set(question.id, { replies: weights.replies, blank })
  }
  return given
}

/**
 * Returns the counts of the answers, « Autre » last, or of the scale numbers. Answers are matched by text; undefined
 * means that participants did not see the answer.
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
  // « Autre » is the last line with its name, because an answer may have the same text.
  const others = question.has_other
    ? [take(left.findLastIndex(({ answer_text }) => answer_text === OTHER_NAME))]
    : []
  // Answers with equal texts have separate lines in their order.
  const counts = question.answers.map(({ text }) =>
    take(left.findIndex(({ answer_text }) => answer_text === text)),
  )
  return [...counts, ...others]
}
