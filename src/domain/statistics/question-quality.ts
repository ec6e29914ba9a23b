import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type Snapshot,
  type SnapshotQuestion,
} from '#domain/questionnaire/snapshot.ts'
import { leadsTo, questionsPassed } from '#domain/run/path.ts'
import { choicesOf } from '#domain/run/possible-choices.ts'
import { reachableTotals } from '#domain/run/reachable-totals.ts'
import { chosenAnswers } from '#domain/run/replies.ts'
import { PUBLIC_RULES, pointsOf, resultOfScore } from '#domain/run/scoring.ts'

/** How well the questions of a quiz by score tell its participants apart. */
export type QuestionQuality = {
  nb_participants: number
  /**
   * Cronbach's alpha, over the questions that every run passes; null where it says nothing: fewer than two such
   * questions, or totals that are all the same.
   */
  alpha: number | null
  questions: JudgedQuestion[]
}

export type JudgedQuestion = {
  id: string
  text: string
  /** How many participants came to it. */
  nb_asked: number
  /**
   * Pearson's correlation of its points with those of all other questions, among those who came to it; null where
   * either has no spread.
   */
  correlation: number | null
  /** Alpha without it; null where it is not part of alpha, or alpha would say nothing. */
  alpha_without: number | null
  /** The share of those who came to it whose result another reply to it would have changed, on the same path. */
  decides: number
  /** Answers that enough of them saw and none of them chose. */
  unused_answers: { id: string; text: string }[]
}

/** Fewer participants would be chance. */
export const MIN_PARTICIPANTS_FOR_QUALITY = 30

/** Sums of two quantities over participants, from which spread and correlation follow. */
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
/** Whole points give exact sums, so that the spread of equal points is exactly 0. */
const spreadOf = (n: number, sum: number, squares: number): number => n * squares - sum * sum
const covarianceOf = ({ n, x, y, xy }: Sums): number => n * xy - x * y

/** A question as participants are added to it. */
type Tallied = {
  question: SnapshotQuestion
  /** Of its points, and of all other questions' points of the run. */
  others: Sums
  /** Of its points, and of the points of all questions that every run passes; undefined where it is none of these. */
  common: Sums | undefined
  nb_deciding: number
  chosen: Set<string>
  /** How many saw each answer: one that was added later was not offered to those before. */
  nb_offered: Map<string, number>
  /** The points that its replies may bring. */
  possible: number[]
}

/**
 * Judges the questions of a quiz by score from the replies of participants: `add` takes those of one, which fit the
 * version, and whether an answer was offered to them; `read` gives the figures. Only questions that bring points are judged.
 */
export const judgeQuestions = (snapshot: Snapshot) => {
  const results = inResultOrder(snapshot.results)
  const resultOf = (total: number) => resultOfScore(results, total, PUBLIC_RULES) ?? results[0]
  const isCommon = passedByAll(snapshot.questions)
  const tallied = new Map<string, Tallied>(
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
      const given = questionsPassed(snapshot.questions, replies).flatMap((question) => {
        const one = tallied.get(question.id)
        return one ? [{ one, points: pointsOf(question, replies) }] : []
      })
      const total = sumOf(given.map(({ points }) => points))
      const together = sumOf(given.map(({ one, points }) => (one.common ? points : 0)))
      const result = resultOf(total)
      for (const { one, points } of given) {
        addTo(one.others, points, total - points)
        if (one.common) addTo(one.common, points, together)
        for (const { id } of chosenAnswers(one.question, replies)) one.chosen.add(id)
        for (const { id } of one.question.answers)
          if (isOffered(id)) one.nb_offered.set(id, (one.nb_offered.get(id) ?? 0) + 1)
        if (one.possible.some((other) => resultOf(total - points + other) !== result))
          one.nb_deciding++
      }
    },
    read: (): QuestionQuality => {
      const all = [...tallied.values()]
      const common = all.flatMap(({ common: sums }) => sums ?? [])
      return {
        nb_participants,
        alpha: alphaOf(common),
        questions: all.map((one) => judged(one, common)),
      }
    },
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

const judged = (
  { question, others, common, nb_deciding, chosen, nb_offered }: Tallied,
  all: readonly Sums[],
): JudgedQuestion => ({
  id: question.id,
  text: question.text,
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

/** Cronbach's alpha of these questions, or of all but one of them. */
const alphaOf = (all: readonly Sums[], without?: Sums): number | null => {
  const [first] = all
  const kept = all.filter((one) => one !== without)
  if (!first || kept.length < 2) return null
  const whole = spreadOf(first.n, first.y, first.yy)
  // var(T − x) = var(T) + var(x) − 2 cov(x, T)
  const spread = without
    ? whole + spreadOf(without.n, without.x, without.xx) - 2 * covarianceOf(without)
    : whole
  if (spread <= 0) return null
  const own = sumOf(kept.map(({ n, x, xx }) => spreadOf(n, x, xx)))
  return (kept.length / (kept.length - 1)) * (1 - own / spread)
}

const bringsPoints = (question: SnapshotQuestion): boolean =>
  isChoice(question)
    ? question.answers.some(({ score }) => Boolean(score))
    : question.type === 'scale' && question.counts_in_score === true

/** More sets of answers are not listed. */
const MOST_SETS = 2_000

/** The points that replies to a question may bring; of too many sets of answers the fewest and the most. */
const possiblePoints = (question: SnapshotQuestion): number[] => {
  const choices = choicesOf(question, POINTS, MOST_SETS)
  if (choices) return [...new Set(choices.map(({ adds: [points = 0] }) => points))]
  const { from, to } = reachableTotals([question])
  return [from, to]
}

/** Points as the odds read them, each reply as likely as another. */
const POINTS: Parameters<typeof choicesOf>[1] = {
  likelihoods: undefined,
  adds: ({ score }) => [score ?? 0],
  addsOfNumber: (number) => [number],
  nothing: [0],
}

/** Whether the page of a question is on every path: no answer of an earlier page leads beyond it. */
const passedByAll = (
  questions: readonly SnapshotQuestion[],
): ((question: SnapshotQuestion) => boolean) => {
  const gaps = questions.flatMap((question) =>
    question.answers.flatMap((answer) => {
      const to = leadsTo(answer, question)
      return to === undefined ? [] : { after: question.page_number, before: to }
    }),
  )
  return ({ page_number }) =>
    !gaps.some(({ after, before }) => after < page_number && page_number < before)
}
