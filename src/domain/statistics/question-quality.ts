import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type Snapshot,
  type SnapshotQuestion,
} from '#domain/questionnaire/snapshot.ts'
import { jumpTargetOf, visitedQuestions } from '#domain/run/path.ts'
import { choicesOf } from '#domain/run/possible-choices.ts'
import { pointsRangeOf } from '#domain/run/reachable-totals.ts'
import { chosenAnswers } from '#domain/run/replies.ts'
import { PUBLIC_RULES, pointsOf, resultOfScore } from '#domain/run/scoring.ts'

/** Item analysis of the questions of a quiz by score. */
export type QuestionQuality = {
  nb_participants: number
  /**
   * Cronbach's alpha over the questions that every run visits. Null with fewer than two such questions, or if all
   * totals are equal.
   */
  alpha: number | null
  questions: JudgedQuestion[]
}

/** Item analysis of one question. */
export type JudgedQuestion = {
  id: string
  text: string
  /** Number of participants who saw the question. */
  nb_asked: number
  /**
   * Pearson correlation of its points with the points of all other questions, among participants who saw it. Null if
   * either has no variance.
   */
  correlation: number | null
  /** Alpha without this question; null if the question or alpha is not defined there. */
  alpha_without: number | null
  /** Share of participants whose result another reply to this question would change, on the same path. */
  decides: number
  /** Answers that no one chose although enough participants saw them. */
  unused_answers: { id: string; text: string }[]
}

/** Minimum number of participants, because fewer would be chance. */
export const MIN_PARTICIPANTS_FOR_QUALITY = 30

/** Sums of two quantities over participants, for variance and correlation. */
type Sums = { n: number; x: number; y: number; xx: number; yy: number; xy: number }

const noSums = (): Sums => ({ n: 0, x: 0, y: 0, xx: 0, yy: 0, xy: 0 })
const addTo = (sums: Sums, x: number, y: number): void => {
  sums.n++
  sums.x += x
  sums.y += y
  sums.xx += x * x
  sums.yy += y * y
  sums.xy += x * y
}
/** Integer points give exact sums, so that the variance of equal points is exactly 0. */
const spreadOf = (n: number, sum: number, squares: number): number => n * squares - sum * sum
const covarianceOf = ({ n, x, y, xy }: Sums): number => n * xy - x * y

/** Question with the sums over its participants. */
type QuestionTally = {
  question: SnapshotQuestion
  /** Sums of its points and of the points of all other questions. */
  others: Sums
  /** Sums of its points and of the points of all questions that every run visits; undefined if some runs skip it. */
  common: Sums | undefined
  nb_deciding: number
  chosen: Set<string>
  /** Number of participants who saw each answer. Earlier participants did not see answers that were added later. */
  nb_offered: Map<string, number>
  /** Points that its replies can give. */
  possible: number[]
}

/**
 * Returns an item analysis of a quiz by score, without questions that give no points. `add` takes the valid replies
 * of a participant, and a test whether an answer was offered. `read` returns the figures.
 */
export const judgeQuestions = (snapshot: Snapshot) => {
  const results = inResultOrder(snapshot.results)
  const resultOf = (total: number) => resultOfScore(results, total, PUBLIC_RULES) ?? results[0]
  const isCommon = createIsAlwaysVisited(snapshot.questions)
  const tallied = new Map<string, QuestionTally>(
    snapshot.questions.filter(bringsPoints).map((question) => [
      question.id,
      {
        question,
        others: noSums(),
        common: isCommon(question) ? noSums() : undefined,
        nb_deciding: 0,
        chosen: new Set(),
        nb_offered: new Map(),
        possible: possiblePoints(question),
      },
    ]),
  )
  let nb_participants = 0
  return {
    add: (replies: Replies, isOffered: (answer_id: string) => boolean = () => true): void => {
      nb_participants++
      const chosen = visitedQuestions(snapshot.questions, replies).flatMap((question) => {
        const tally = tallied.get(question.id)
        return tally ? [{ tally, points: pointsOf(question, replies) }] : []
      })
      const total = sumOf(chosen.map(({ points }) => points))
      const together = sumOf(chosen.map(({ tally, points }) => (tally.common ? points : 0)))
      const result = resultOf(total)
      for (const { tally, points } of chosen) {
        addTo(tally.others, points, total - points)
        if (tally.common) addTo(tally.common, points, together)
        for (const { id } of chosenAnswers(tally.question, replies)) tally.chosen.add(id)
        for (const { id } of tally.question.answers)
          if (isOffered(id)) tally.nb_offered.set(id, (tally.nb_offered.get(id) ?? 0) + 1)
        if (tally.possible.some((other) => resultOf(total - points + other) !== result))
          tally.nb_deciding++
      }
    },
    read: (): QuestionQuality => {
      const all = [...tallied.values()]
      const common = all.flatMap(({ common: sums }) => sums ?? [])
      return {
        nb_participants,
        alpha: alphaOf(common),
        questions: all.map((tally) => ({
          ...judged(tally, common),
          text: questionText(snapshot.questions, tally.question),
        })),
      }
    },
  }
}

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0)

const judged = (
  { question, others, common, nb_deciding, chosen, nb_offered }: QuestionTally,
  all: readonly Sums[],
): Omit<JudgedQuestion, 'text'> => ({
  id: question.id,
  nb_asked: others.n,
  correlation: correlationOf(others),
  alpha_without: common ? alphaOf(all, common) : null,
  decides: others.n > 0 ? nb_deciding / others.n : 0,
  unused_answers: isChoice(question)
    ? question.answers
        .filter(
          ({ id }) => !chosen.has(id) && (nb_offered.get(id) ?? 0) >= MIN_PARTICIPANTS_FOR_QUALITY,
        )
        .map(({ id, text }) => ({ id, text }))
    : [],
})

const correlationOf = (sums: Sums): number | null => {
  const spread = spreadOf(sums.n, sums.x, sums.xx) * spreadOf(sums.n, sums.y, sums.yy)
  return spread > 0 ? covarianceOf(sums) / Math.sqrt(spread) : null
}

/** Returns Cronbach's alpha of the questions, without one of them if given. */
const alphaOf = (all: readonly Sums[], without?: Sums): number | null => {
  const [first] = all
  const others = all.filter((sums) => sums !== without)
  if (!first || others.length < 2) return null
  const whole = spreadOf(first.n, first.y, first.yy)
  // var(T − x) = var(T) + var(x) − 2 cov(x, T)
  const spread = without
    ? whole + spreadOf(without.n, without.x, without.xx) - 2 * covarianceOf(without)
    : whole
  if (spread <= 0) return null
  const own = sumOf(others.map(({ n, x, xx }) => spreadOf(n, x, xx)))
  return (others.length / (others.length - 1)) * (1 - own / spread)
}

const bringsPoints = (question: SnapshotQuestion): boolean =>
  isChoice(question)
    ? question.answers.some(({ score }) => Boolean(score))
    : question.type === 'scale' && question.counts_in_score === true

/** Maximum number of listed sets of answers. */
const MAX_SETS = 2_000

/**
 * Returns the points that replies to a question can give; with too many sets of answers, only the lowest and highest.
 */
const possiblePoints = (question: SnapshotQuestion): number[] => {
  const choices = choicesOf(question, POINTS, MAX_SETS)
  if (choices) return [...new Set(choices.map(({ points: [score = 0] }) => score))]
  const { from, to } = pointsRangeOf(question)
  return [from, to]
}

/** Points as `choicesOf` reads them, with equally likely replies. */
const POINTS: Parameters<typeof choicesOf>[1] = {
  likelihoods: undefined,
  points: ({ score }) => [score ?? 0],
  pointsOfNumber: (number) => [number],
  zero_points: [0],
}

/**
 * Returns a function that tells whether every path visits the page of a question, because no earlier answer jumps
 * over it.
 */
const createIsAlwaysVisited = (
  questions: readonly SnapshotQuestion[],
): ((question: SnapshotQuestion) => boolean) => {
  const gaps = questions.flatMap((question) =>
    question.answers.flatMap((answer) => {
      const to = jumpTargetOf(answer, question)
      return to === undefined ? [] : { after: question.page_number, before: to }
    }),
  )
  return ({ page_number }) =>
    !gaps.some(({ after, before }) => after < page_number && page_number < before)
}
