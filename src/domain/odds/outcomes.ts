import { isChoice } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type SnapshotAnswer,
  type SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import type { AddedPoints } from '#domain/run/possible-choices.ts'
import { isInTier, type Scorable, tierOf } from '#domain/run/scoring.ts'

/**
 * Rules of scoring.ts for the odds: what a reply adds to each component, and the outcome of the sums. A second
 * implementation is needed for speed; odds.test.ts compares both.
 */
export type ScoringScheme = {
  /** Number of components. */
  size: number
  adds: AddedPoints
  addsOfNumber: (number: number) => readonly number[]
  /** Returns the outcome of the sums as a number, which `decodeOutcome` decodes. */
  outcomeOf: (sums: ArrayLike<number>) => number
}

/** Outcome of a run: index of its result, tie with another result, and match. */
export type RunOutcome = { index: number; is_tie: boolean; is_match: boolean }

/** Encodes an outcome as a number, because a simulation must not create an object for each run. */
const outcome = (index: number, is_tie: boolean): number => index * 4 + (is_tie ? 2 : 0)
/** Outcome without a match, which gives the first result. */
const NO_MATCH = 1

/** Returns the number of encoded outcomes. */
export const nbOutcomes = (nb_results: number): number => nb_results * 4

/** Decodes an outcome. */
export const decodeOutcome = (packed: number): RunOutcome => ({
  index: packed >> 2,
  is_tie: (packed & 2) > 0,
  is_match: (packed & NO_MATCH) === 0,
})

/** Returns the scheme of a quiz by score or by profiles; null for other questionnaires. */
export const scoringSchemeOf = (counted: Scorable): ScoringScheme | null => {
  if (counted.quiz.type === 'sondage') return null
  const results = inResultOrder(counted.results)
  if (results.length === 0) return null
  if (counted.quiz_mode === 'score') return scoreScheme(results)
  return counted.quiz_mode === 'profils' ? profileScheme(counted, results) : null
}

const scoreScheme = (results: readonly SnapshotResult[]): ScoringScheme => {
  const tiers = results.map((result) => tierOf(result))
  return {
    size: 1,
    adds: ({ score }) => [score ?? 0],
    addsOfNumber: (number) => [number],
    outcomeOf: ({ 0: total = 0 }) => {
      const index = tiers.findIndex((tier) => isInTier(tier, total))
      if (index < 0) return NO_MATCH
      return outcome(
        index,
        tiers.some((tier, other) => other > index && isInTier(tier, total)),
      )
    },
  }
}

/** Returns the associations of an answer that count. */
export const checkedAssociations = ({
  associations,
}: SnapshotAnswer): SnapshotAnswer['associations'] =>
  associations.filter(({ is_checked }) => is_checked)

/**
 * Returns a scheme with one component for each result, and another for each result that the tie question can favour.
 * Sums also count the associations if a weight is 0, because a result with total 0 differs from a result without
 * associations.
 */
const profileScheme = (
  { quiz, questions }: Scorable,
  results: readonly SnapshotResult[],
): ScoringScheme => {
  const links = questions.flatMap(({ answers }) => answers.flatMap(checkedAssociations))
  const unit = links.some(({ weight }) => weight === 0) ? links.length + 1 : 0
  const indexes = new Map(results.map(({ id }, index) => [id, index]))
  const settling = quiz.tie_rule === 'question' ? quiz.tie_question_id : null
  const settles = new Set(
    questions
      .filter((question) => question.id === settling && isChoice(question))
      .flatMap(({ answers }) => answers),
  )
  const { length } = results
  const size = settles.size > 0 ? length * 2 : length
  return {
    size,
    adds: (answer) => {
      const sums: number[] = Array(size).fill(0)
      for (const { result_id, weight } of checkedAssociations(answer)) {
        const index = indexes.get(result_id)
        if (index === undefined) continue
        sums[index] = (sums[index] ?? 0) + (unit ? weight * unit + 1 : weight)
        if (settles.has(answer)) sums[length + index] = 1
      }
      return sums
    },
    addsOfNumber: () => Array(size).fill(0),
    outcomeOf: (sums) => {
      let best = -1
      let first = 0
      let nb_equals = 0
      let favoured = 0
      let nb_favoured = 0
      for (let at = 0; at < length; at++) {
        const sum = sums[at] as number
        if (sum === 0) continue
        const total = unit > 0 ? Math.floor(sum / unit) : sum
        if (total < best) continue
        if (total > best) {
          best = total
          first = at
          nb_equals = 0
          nb_favoured = 0
        }
        nb_equals++
        if (size > length && (sums[length + at] as number) > 0 && nb_favoured++ === 0) favoured = at
      }
      if (nb_equals === 0) return NO_MATCH
      return nb_favoured > 0 ? outcome(favoured, nb_favoured > 1) : outcome(first, nb_equals > 1)
    },
  }
}
