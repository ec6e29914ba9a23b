import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { rightAnswersOf } from '#domain/run/corrections/corrections.ts'
import {
  type AnswerOption,
  type AnswerSet,
  addChoice,
  addPoints,
  answerOptionsOf,
  type Choice,
  effectOf,
  type ReplyWeights,
} from './choice-weights.ts'
import { maxChoicesOf } from './replies.ts'

/**
 * Returns the sets of at least one answer, of every allowed size, without the points of any reply. Sets with equal points
 * and target page are united. Returns null above `max_choices_listed`.
 */
export const listAnswerSets = (
  question: SnapshotQuestion,
  weights: ReplyWeights,
  max_choices_listed: number,
): Choice[] | null => {
  const options = answerOptionsOf(question, weights).filter(({ weight }) => weight > 0)
  const limit = Math.min(maxChoicesOf(question), options.length)
  if (limit > 1 && maxEffects(options) > ATTEMPT_FACTOR * max_choices_listed) return null
  // If all answers can be chosen together, a growing set only needs to know whether it is empty.
  const last = limit < options.length ? limit : 1
  const right = question.all_or_nothing ? rightAnswersOf(question) : []
  /** Sets by size, from 0. */
  let sets: Map<string, AnswerSet>[] = Array.from({ length: last + 1 }, () => new Map())
  sets[0]?.set('', {
    share: 1,
    ranks: [],
    points: weights.zero_points,
    target_page: null,
    // A right answer that is never chosen is not among the options.
    ...(right.length > 0 && right.every((answer) => isOption(options, question, answer))
      ? { is_right: true }
      : {}),
  })
  for (const { rank, weight, points, target_page } of options) {
    const isRight = right.includes(question.answers[rank] as SnapshotAnswer)
    const grown = sets.map((effects) => (isRight ? withoutRightSets(effects) : new Map(effects)))
    for (const [size, effects] of sets.entries()) {
      const larger = grown[limit < options.length ? size + 1 : 1]
      for (const set of larger ? effects.values() : [])
        addChoice(larger as Map<string, AnswerSet>, {
          share: set.share * weight,
          ranks: [...set.ranks, rank],
          points: addPoints(set.points, points),
          target_page: set.target_page ?? target_page,
          ...(set.is_right && isRight && { is_right: true }),
        })
    }
    if (grown.reduce((sum, { size }) => sum + size, 0) > max_choices_listed) return null
    sets = grown
  }
  return sets
    .slice(1)
    .flatMap((effects) => [...effects.values()])
    .map(({ is_right, ...set }) =>
      is_right ? { ...set, points: addScores(set.points, right, weights) } : set,
    )
}

const isOption = (
  options: readonly AnswerOption[],
  { answers }: SnapshotQuestion,
  answer: SnapshotAnswer,
): boolean => options.some(({ rank }) => answers[rank] === answer)

/** Returns the sets unmarked, because they lack a right answer. */
const withoutRightSets = (sets: ReadonlyMap<string, AnswerSet>): Map<string, AnswerSet> => {
  const wrong = new Map<string, AnswerSet>()
  for (const { is_right, ...set } of sets.values()) addChoice(wrong, set)
  return wrong
}

/** Adds the points from the scores of the right answers to the points of the right set. */
const addScores = (
  points: readonly number[],
  right: readonly SnapshotAnswer[],
  { points: pointsOf }: ReplyWeights,
): number[] => {
  const added = right.map((answer) => {
    const without = pointsOf({ ...answer, score: null })
    return pointsOf(answer).map((value, index) => value - (without[index] ?? 0))
  })
  return points.map((sum, index) =>
    added.reduce((total, answer_points) => total + (answer_points[index] ?? 0), sum),
  )
}

/** Largest ratio of the upper bound of effects to the limit at which an enumeration is attempted. */
const ATTEMPT_FACTOR = 8

/** Returns an upper bound of the number of different effects of sets of these answers. */
const maxEffects = (options: readonly AnswerOption[]): number => {
  const byEffect = Map.groupBy(options, effectOf)
  const kinds = [...byEffect.values()].reduce((product, { length }) => product * (length + 1), 1)
  const pages = new Set(options.map(({ target_page }) => target_page)).size + 1
  const sums = options[0]?.points.map((_, at) => {
    const extreme = (pick: (...values: number[]) => number): number =>
      options.reduce((sum, { points }) => sum + pick(0, points[at] ?? 0), 0)
    return extreme(Math.max) - extreme(Math.min) + 1
  })
  return Math.min(
    kinds,
    (sums ?? []).reduce((product, count) => product * count, pages),
  )
}
