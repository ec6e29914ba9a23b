import { sharesOf } from '#domain/common/numbers.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { inResultOrder, type SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { chartTiersOf, type Range } from '#domain/questionnaire/tiers.ts'
import { reachableTotals } from './reachable-totals.ts'
import { profileTotals, type ScoredQuiz, totalScore } from './scoring.ts'

/** Tier on the scale from the lowest to the highest reachable total. */
type ShownTier = {
  /** Id of the result. */
  id: string
  name: string
  /** Lowest reachable total of the tier. */
  from: number
  to: number
  /** Start of the tier on the scale, from 0 to 1. */
  start: number
  end: number
}

/** Share of a profile in whole percent. */
type ProfileShare = { id: string; name: string; percent: number }

/** Explanation of the result on a result page. */
export type ResultDetail =
  | {
      kind: 'score'
      total: number
      maximum: number
      /** Position of the total on the scale, from 0 to 1. */
      position: number
      rows: ShownTier[]
    }
  | { kind: 'profils'; rows: ProfileShare[] }

type DetailedSnapshot = ScoredQuiz<Omit<SnapshotResult, 'description'>>

/**
 * Returns the total with the tiers, or the shares of the profiles in descending order. Null if the quiz shows no
 * detail, or if no answer counts.
 */
export const resultDetail = (
  snapshot: DetailedSnapshot & {
    quiz: { shows_detail?: boolean | undefined }
    totals?: Range | undefined
  },
  replies: Replies,
): ResultDetail | null => {
  if (!snapshot.quiz.shows_detail || snapshot.quiz.type === 'sondage') return null
  const total = totalScore(snapshot, replies)
  if (total !== null)
    return scoreDetail(snapshot, total, snapshot.totals ?? reachableTotals(snapshot.questions))
  return snapshot.quiz_mode === 'profils' ? profileDetail(snapshot, replies) : null
}

/** Half of the distance between two totals, where one tier ends and the next begins. */
const HALF = 0.5

const scoreDetail = (
  { results }: DetailedSnapshot,
  total: number,
  { from: least, to: maximum }: Range,
): ResultDetail | null => {
  if (least === maximum) return null
  const placeOf = (at: number): number => Math.min(1, Math.max(0, (at - least) / (maximum - least)))
  const rows = chartTiersOf(results)
    .filter(({ from, to }) => from <= maximum && to >= least)
    .sort((a, b) => a.from - b.from)
    .map(({ id, name, from, to }) => ({
      id,
      name,
      from: Math.max(from, least),
      to: Math.min(to, maximum),
      start: placeOf(from - HALF),
      end: placeOf(to + HALF),
    }))
  return { kind: 'score', total, maximum, position: placeOf(total), rows }
}

const profileDetail = (snapshot: DetailedSnapshot, replies: Replies): ResultDetail | null => {
  const totals = profileTotals(snapshot, replies)
  const profiles = inResultOrder(snapshot.results)
    .map(({ id, name }) => ({ id, name, weight: totals.get(id) ?? 0 }))
    .sort((a, b) => b.weight - a.weight)
  if (profiles.every(({ weight }) => weight === 0)) return null
  const weights = profiles.map(({ weight }) => weight)
  const percents = sharesOf(weights, { decimals: 0 })
  const rows = profiles.map(({ id, name }, rank) => ({ id, name, percent: percents[rank] ?? 0 }))
  return { kind: 'profils', rows }
}
