import { isChoice } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type SnapshotAnswer,
  type SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import type { Adds } from '#domain/run/possible-choices.ts'
import { PUBLIC_RULES, type Scorable } from '#domain/run/scoring.ts'

/**
 * What a run adds up, component by component, and how it ends with these sums; by the rules of scoring.ts, which a
 * property holds both to.
 */
export type ScoringScheme = {
  /** How many components there are. */
  size: number
  adds: Adds
  addsOfNumber: (number: number) => readonly number[]
  /** How it ends with these sums, as `endOf` packs it. */
  outcomeOf: (sums: ArrayLike<number>) => number
}

/** How a run ended: the index of its result in order, whether others had as much, and whether any matched. */
export type End = { index: number; is_tie: boolean; is_match: boolean }

/** An end as one number, since a draw of very many ends makes no object for each. */
const outcome = (index: number, is_tie: boolean): number => index * 4 + (is_tie ? 2 : 0)
/** Nothing matched: the first is given. */
const NO_MATCH = 1

/** How many outcomes there are of so many results. */
export const nbOutcomes = (nb_results: number): number => nb_results * 4

export const endOf = (packed: number): End => ({
  index: packed >> 2,
  is_tie: (packed & 2) > 0,
  is_match: (packed & NO_MATCH) === 0,
})

/** The scheme of a quiz by score or by profiles; null of one that computes nothing. */
export const schemeOf = (counted: Scorable): ScoringScheme | null => {
  if (counted.quiz.type === 'sondage') return null
  const results = inResultOrder(counted.results)
  if (results.length === 0) return null
  if (counted.quiz_mode === 'score') return scoreScheme(results)
  return counted.quiz_mode === 'profils' ? profileScheme(counted, results) : null
}

/** The totals that a tier holds on the public page. */
export type Tier = { from: number; to: number }
export const tierOf = ({
  min_score,
  max_score,
}: Pick<SnapshotResult, 'min_score' | 'max_score'>): Tier => ({
  from: min_score ?? PUBLIC_RULES.lowest_score,
  to: max_score ?? Number.POSITIVE_INFINITY,
})
export const holds = ({ from, to }: Tier, total: number): boolean => from <= total && total <= to

const scoreScheme = (results: readonly SnapshotResult[]): ScoringScheme => {
  const tiers = results.map(tierOf)
  return {
    size: 1,
    adds: ({ score }) => [score ?? 0],
    addsOfNumber: (number) => [number],
    outcomeOf: ({ 0: total = 0 }) => {
      const index = tiers.findIndex((tier) => holds(tier, total))
      if (index < 0) return NO_MATCH
      return outcome(
        index,
        tiers.some((tier, other) => other > index && holds(tier, total)),
      )
    },
  }
}

/** The links of an answer that count. */
export const checkedAssociations = ({
  associations,
}: SnapshotAnswer): SnapshotAnswer['associations'] =>
  associations.filter(({ is_checked }) => is_checked)

/**
 * One component a result; and where a question settles ties, one more each for its answers that lead to it. A result
 * that only weights of 0 lead to is one of the results still, so a sum counts links beside weights where there are such.
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
