import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { rightAnswersOf } from '#domain/run/corrections/corrections.ts'
import { jumpTargetOf } from './path.ts'
import { maxChoicesOf, OTHER, scaleOf } from './replies.ts'

/** Ranks of the chosen answers by question id, for visited questions whose reply can change the result or path. */
export type ChosenRanks = ReadonlyMap<string, readonly number[]>

/**
 * Returns the replies that make these choices. Questions whose reply does not matter get their first possible reply.
 */
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

/** Returns the first rank of a required choice or scale. Texts stay empty, because the reader types them. */
const defaultRanks = (question: SnapshotQuestion): number[] => {
  if (question.is_required === false) return []
  const isOffered = isChoice(question)
    ? question.answers.length > 0 || question.has_other === true
    : question.type === 'scale'
  return isOffered ? [0] : []
}

/** Relative likelihoods of the replies to a question. Dividing by their sum gives probabilities. */
export type Likelihoods = {
  /**
   * Likelihood of each answer, then of « Autre », or of each number of a scale. The likelihood of several chosen
   * answers is their product.
   */
  replies: readonly number[]
  /** Likelihood of no reply to an optional question. */
  blank: number
}

/** Possible choice of a visitor. Choices with equal points and target page are united. */
export type Choice = {
  /** Probability of the choice. */
  share: number
  /** Ranks of the chosen answers, or the rank of the scale number. « Autre » has the rank after the last answer. */
  ranks: readonly number[]
  /** Points added to each component of the sums. */
  points: readonly number[]
  /** Target page, Infinity for the end; null means the following page. */
  target_page: number | null
}

/** Returns the points that an answer adds to each component. */
export type PointsOfAnswer = (answer: SnapshotAnswer) => readonly number[]

/** Likelihoods and points that are needed to list the choices of a question. */
export type ReplyWeights = {
  likelihoods: Likelihoods | undefined
  points: PointsOfAnswer
  /** Returns the points that a scale number adds to each component. */
  pointsOfNumber: (number: number) => readonly number[]
  /** Zero for each component. */
  zero_points: readonly number[]
  /** Points that every reply adds in addition to those of its answers, but a blank reply does not. */
  reply_points?: readonly number[] | undefined
}

/**
 * Returns the limit of listed choices for a question. Stages cannot draw the right set of `all_or_nothing`, so its few
 * effects are always listed.
 */
export const listedChoicesLimit = (
  { all_or_nothing }: Pick<SnapshotQuestion, 'all_or_nothing'>,
  max_choices_listed: number,
): number => (all_or_nothing ? Number.POSITIVE_INFINITY : max_choices_listed)

/** Question whose reply can change the result or path. `choices` is null if there are too many to list. */
export type RelevantQuestion = {
  question: SnapshotQuestion
  weights: ReplyWeights
  choices: Choice[] | null
}

/**
 * Returns the choices of a question; choices with equal points and target page are united. Returns null above
 * `max_choices_listed`. Without likelihoods, all replies or sets of answers are equally likely.
 */
export const choicesOf = (
  question: SnapshotQuestion,
  weights: ReplyWeights,
  max_choices_listed: number,
): Choice[] | null => {
  if (isChoice(question)) {
    const sets = listAnswerSets(question, weights, max_choices_listed)
    return sets && uniteEqualEffects(sets)
  }
  if (question.type === 'scale') return uniteEqualEffects(listScaleNumbers(question, weights))
  return [{ share: 1, ranks: [], points: weights.zero_points, target_page: null }]
}

/** Returns the likelihoods if any possible reply has one; undefined means that all replies are equally likely. */
export const effectiveLikelihoods = (
  question: SnapshotQuestion,
  likelihoods: Likelihoods | undefined,
): Likelihoods | undefined => {
  const { from, to } = scaleOf(question)
  const { answers, has_other } = question
  const nb_replies =
    question.type === 'scale' ? to - from + 1 : answers.length + (has_other ? 1 : 0)
  const isAny = likelihoods?.replies.slice(0, nb_replies).some((weight) => weight > 0)
  return isAny || likelihoodOfBlank(question, likelihoods ?? { replies: [], blank: 0 }) > 0
    ? likelihoods
    : undefined
}

const weightOf = (likelihoods: Likelihoods | undefined, rank: number): number =>
  likelihoods ? (likelihoods.replies[rank] ?? 0) : 1

/** Returns the likelihood of no reply, relative to the replies. */
export const likelihoodOfBlank = (
  { is_required }: Pick<SnapshotQuestion, 'is_required'>,
  likelihoods: Likelihoods | undefined,
): number => (is_required === false ? (likelihoods?.blank ?? 1) : 0)

const listBlankReply = (
  question: SnapshotQuestion,
  { likelihoods, zero_points }: ReplyWeights,
): Choice[] => [
  {
    share: likelihoodOfBlank(question, likelihoods),
    ranks: [],
    points: zero_points,
    target_page: null,
  },
]

/** Returns a function that adds the points of any reply to a choice that is no blank reply. */
const withReplyPoints =
  ({ reply_points }: ReplyWeights) =>
  (choice: Choice): Choice =>
    reply_points ? { ...choice, points: addPoints(choice.points, reply_points) } : choice

/** Returns the sums of two lists of points by component. */
export const addPoints = (points: readonly number[], more: readonly number[]): number[] =>
  points.map((sum, component) => sum + (more[component] ?? 0))

const listScaleNumbers = (question: SnapshotQuestion, weights: ReplyWeights): Choice[] => {
  const { from, to } = scaleOf(question)
  const numbers = Array.from(
    { length: to - from + 1 },
    (_, rank): Choice => ({
      share: weightOf(weights.likelihoods, rank),
      ranks: [rank],
      points: question.counts_in_score ? weights.pointsOfNumber(from + rank) : weights.zero_points,
      target_page: null,
    }),
  )
  return [...numbers.map(withReplyPoints(weights)), ...listBlankReply(question, weights)]
}

/** Answer or « Autre », with its likelihood (`weight`) and its effect. */
export type AnswerOption = Omit<Choice, 'share' | 'ranks'> & { rank: number; weight: number }

/**
 * Returns the answers in order, then « Autre », with their likelihoods. With `all_or_nothing`, single answers have no
 * score.
 */
export const answerOptionsOf = (
  question: SnapshotQuestion,
  { likelihoods, points, zero_points }: Omit<ReplyWeights, 'pointsOfNumber'>,
): AnswerOption[] => {
  const { answers, has_other } = question
  const options = answers.map(
    (answer, rank): AnswerOption => ({
      rank,
      weight: weightOf(likelihoods, rank),
      points: points(question.all_or_nothing ? { ...answer, score: null } : answer),
      target_page: jumpTargetOf(answer, question) ?? null,
    }),
  )
  const { length: rank } = answers
  if (has_other)
    options.push({
      rank,
      weight: weightOf(likelihoods, rank),
      points: zero_points,
      target_page: null,
    })
  return options
}

/** Returns the sets of answers of every allowed size. Sets with equal points and target page are united. */
const listAnswerSets = (
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
    ...{ share: 1, ranks: [], points: weights.zero_points, target_page: null },
    // A right answer that is never chosen is not among the options.
    ...(right.length > 0 && right.every((answer) => isOption(options, question, answer))
      ? { is_right: true }
      : {}),
  })
  for (const { rank, weight, points, target_page } of options) {
    const isRight = right.includes(question.answers[rank] as SnapshotAnswer)
    const grown = sets.map((of) => (isRight ? withoutRightSets(of) : new Map(of)))
    for (const [size, of] of sets.entries()) {
      const larger = grown[limit < options.length ? size + 1 : 1]
      for (const set of larger ? of.values() : [])
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
  const listed = sets
    .slice(1)
    .flatMap((of) => [...of.values()])
    .map(({ is_right, ...set }) =>
      is_right ? { ...set, points: addScores(set.points, right, weights) } : set,
    )
  return [...listed.map(withReplyPoints(weights)), ...listBlankReply(question, weights)]
}

/** Set of answers. `is_right` is true if the set equals the right answers among the options so far. */
type AnswerSet = Choice & { is_right?: true }

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
  return points.map((sum, index) => added.reduce((total, of) => total + (of[index] ?? 0), sum))
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

const effectOf = ({
  target_page,
  points,
  is_right,
}: Pick<AnswerSet, 'target_page' | 'points' | 'is_right'>): string =>
  `${target_page} ${points}${is_right ? ' right' : ''}`

const addChoice = <C extends AnswerSet>(to: Map<string, C>, choice: C): void => {
  const effect = effectOf(choice)
  const known = to.get(effect)
  to.set(effect, known ? { ...known, share: known.share + choice.share } : choice)
}

/** Unites choices with equal points and target page, and divides their probabilities by the sum. */
export const uniteEqualEffects = (choices: readonly Choice[]): Choice[] => {
  const united = new Map<string, Choice>()
  for (const choice of choices) if (choice.share > 0) addChoice(united, choice)
  const sum = choices.reduce((total, { share }) => total + share, 0)
  return [...united.values()].map((choice) => ({ ...choice, share: choice.share / sum }))
}
