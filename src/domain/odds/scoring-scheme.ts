import { isChoice } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type SnapshotAnswer,
  type SnapshotQuestion,
  type SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import { isInTier, tierOf } from '#domain/questionnaire/tiers.ts'
import type { PointsOfAnswer } from '#domain/run/choice-weights.ts'
import type { ScoredQuiz } from '#domain/run/scoring.ts'

/**
 * Fast second implementation of the rules in `domain/run/scoring.ts`, which changes with them. A reply adds points to each
 * component, and the sums of a run decide its outcome. odds.test.ts checks that both implementations agree.
 */
export type ScoringScheme = {
  /** Number of components: one for a quiz by score, one or two for each result of a quiz by profiles. */
  size: number
  /** Returns true if a reply to the question can have points. */
  isScored: (question: SnapshotQuestion) => boolean
  points: PointsOfAnswer
  pointsOfNumber: (number: number) => readonly number[]
  /** Returns the outcome of the sums as a code for `decodeOutcome`. */
  outcomeOf: (sums: ArrayLike<number>) => number
}

/** Encodes an outcome as a number, because creating an object for each simulated run would be slow. */
const encodeOutcome = (index: number, is_tie: boolean): number => index * 4 + (is_tie ? 2 : 0)
/** Code of the outcome without a match, which gives the first result. */
const NO_MATCH = 1

/** Returns an exclusive upper bound of the outcome codes. */
export const countOutcomeCodes = (nb_results: number): number => nb_results * 4

/** Decodes the code of an outcome. `is_match` is false if no result matches; the first result is then shown. */
export const decodeOutcome = (code: number) => ({
  index: code >> 2,
  is_tie: (code & 2) > 0,
  is_match: (code & NO_MATCH) === 0,
})

/** Creates the scoring scheme of a quiz; null for a sondage, and for a quiz without results or mode. */
export const createScoringScheme = (quiz_content: ScoredQuiz): ScoringScheme | null => {
  if (quiz_content.quiz.type === 'sondage') return null
  const results = inResultOrder(quiz_content.results)
  if (results.length === 0) return null
  if (quiz_content.quiz_mode === 'score') return scoreScheme(results)
  return quiz_content.quiz_mode === 'profils' ? profileScheme(quiz_content, results) : null
}

const scoreScheme = (results: readonly SnapshotResult[]): ScoringScheme => {
  const tiers = results.map((result) => tierOf(result))
  return {
    size: 1,
    isScored: (question) =>
      isChoice(question)
        ? question.answers.some(({ score }) => Boolean(score))
        : question.type === 'scale' && question.counts_in_score === true,
    points: ({ score }) => [score ?? 0],
    pointsOfNumber: (number) => [number],
    outcomeOf: ({ 0: total = 0 }) => {
      const index = tiers.findIndex((tier) => isInTier(tier, total))
      if (index < 0) return NO_MATCH
      return encodeOutcome(
        index,
        tiers.some((tier, other) => other > index && isInTier(tier, total)),
      )
    },
  }
}

/** Returns the associations of an answer that are checked; others do not count. */
export const checkedAssociations = ({
  associations,
}: SnapshotAnswer): SnapshotAnswer['associations'] =>
  associations.filter(({ is_checked }) => is_checked)

/**
 * Creates a scheme with one component for each result. A second component for each result records whether the reply
 * to the tie question favours the result.
 */
const profileScheme = (
  { quiz, questions }: ScoredQuiz,
  results: readonly SnapshotResult[],
): ScoringScheme => {
  const associations = questions.flatMap(({ answers }) => answers.flatMap(checkedAssociations))
  // Sums are total × scale + number of associations if a weight is 0. A result with a total of 0 from associations can
  // then be distinguished from a result without any association. A scale of 0 means that sums are plain totals.
  const scale = associations.some(({ weight }) => weight === 0) ? associations.length + 1 : 0
  const indexes = new Map(results.map(({ id }, index) => [id, index]))
  const tieQuestionId = quiz.tie_rule === 'question' ? quiz.tie_question_id : null
  const tieAnswers = new Set(
    questions
      .filter((question) => question.id === tieQuestionId && isChoice(question))
      .flatMap(({ answers }) => answers.map(({ id }) => id)),
  )
  const { length } = results
  const size = tieAnswers.size > 0 ? length * 2 : length
  return {
    size,
    isScored: (question) =>
      isChoice(question) && question.answers.some((answer) => answer.associations.length > 0),
    points: (answer) => {
      const sums: number[] = Array(size).fill(0)
      for (const { result_id, weight } of checkedAssociations(answer)) {
        const index = indexes.get(result_id)
        if (index === undefined) continue
        sums[index] = (sums[index] ?? 0) + (scale ? weight * scale + 1 : weight)
        if (tieAnswers.has(answer.id)) sums[length + index] = 1
      }
      return sums
    },
    pointsOfNumber: () => Array(size).fill(0),
    outcomeOf: (sums) => {
      let highest = -1
      let first = 0
      let nb_tied = 0
      let favoured = 0
      let nb_favoured = 0
      for (let at = 0; at < length; at++) {
        const sum = sums[at] as number
        if (sum === 0) continue
        const total = scale > 0 ? Math.floor(sum / scale) : sum
        if (total < highest) continue
        if (total > highest) {
          highest = total
          first = at
          nb_tied = 0
          nb_favoured = 0
        }
        nb_tied++
        if (size > length && (sums[length + at] as number) > 0 && nb_favoured++ === 0) favoured = at
      }
      if (nb_tied === 0) return NO_MATCH
      return nb_favoured > 0
        ? encodeOutcome(favoured, nb_favoured > 1)
        : encodeOutcome(first, nb_tied > 1)
    },
  }
}
