import { isChoice, type Replies, type Reply } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { maxChoicesOf, otherText, scaleNumber } from '#domain/run/replies.ts'
import { computeResult, PUBLIC_RULES, totalScore } from '#domain/run/scoring.ts'
import type { DimensionPercents } from '#domain/run/stored-dimensions.ts'
import { replyPlaces, type StoredReplies, unpackReply } from '#domain/run/stored-replies.ts'
import {
  createTierReplay,
  createTierTally,
  type DimensionReplay,
  mostFrequent,
  type TierOutcome,
} from './replay-tiers.ts'

/**
 * Replay of stored replies on a draft, which tells what publishing it would change for earlier participants. Nothing
 * is stored.
 */

type NamedResult = { id: string; name: string }
/** Participant as a replay reads it. */
export type StoredRun = StoredReplies & {
  result_position: number | null
  dimension_percents: DimensionPercents | null
}

/**
 * Replay of one participant: old and new result, old and new tier of each dimension, and the number of replies without
 * a counterpart in the draft.
 */
export type ReplayOutcome = {
  before: NamedResult | null
  after: NamedResult | null
  tiers: TierOutcome[]
  nb_lost: number
}

/** Returns a function that replays participants of one version on `next`, the draft's snapshot. */
export const createReplay = (
  version: Snapshot,
  next: Snapshot,
): ((stored: StoredRun) => ReplayOutcome) => {
  const nextQuestions = new Map(next.questions.map((question) => [question.id, question]))
  const places = replyPlaces(version).map((place) => ({
    place,
    keep: counterpartsOf(place.question, nextQuestions),
  }))
  const results = version.results.map(({ id, name }) => ({ id, name }))
  const replayTiers = createTierReplay(version, next)
  // Reused for all participants, because creating thousands would take most of the time. An empty string means no
  // reply.
  const replies: Record<string, Reply> = Object.fromEntries(
    version.questions.map(({ id }) => [id, '']),
  )
  return (stored) => {
    let nb_lost = 0
    for (const { place, keep } of places) {
      const reply = unpackReply(place, stored) ?? ''
      const parts = typeof reply === 'string' ? [reply] : reply
      const parts_with_value = parts.filter((part) => part !== '')
      const kept_parts = keep(parts_with_value)
      nb_lost += parts_with_value.length - kept_parts.length
      replies[place.question.id] = kept_parts.length > 1 ? kept_parts : (kept_parts[0] ?? '')
    }
    const visited = visitedQuestions(next.questions, replies)
    const after = resultOf(next, replies, visited)
    const { result_position, dimension_percents } = stored
    const before = result_position === null ? null : (results[result_position] ?? null)
    return { before, after, tiers: replayTiers(dimension_percents, replies, visited), nb_lost }
  }
}

const resultOf = (
  next: Snapshot,
  replies: Replies,
  visited: SnapshotQuestion[],
): NamedResult | null => {
  const score = totalScore(next, replies, visited)
  const result = computeResult(next, replies, PUBLIC_RULES, score)
  return result && { id: result.id, name: result.name }
}

/**
 * Returns a function that keeps the parts of a reply that are still valid. The question, answer or number must exist,
 * and the number of choices must be allowed.
 */
const counterpartsOf = (
  { id, type }: SnapshotQuestion,
  questions: ReadonlyMap<string, SnapshotQuestion>,
): ((parts: string[]) => string[]) => {
  const question = questions.get(id)
  if (!question || question.type !== type) return () => []
  if (type === 'scale')
    return (parts) => parts.filter((part) => scaleNumber(question, { [id]: part }) !== null)
  if (!isChoice(question)) return (parts) => parts
  const answers = new Set(question.answers.map((answer) => answer.id))
  const isThere = (part: string): boolean =>
    otherText(part) === undefined ? answers.has(part) : question.has_other === true
  const most = maxChoicesOf(question)
  return (parts) => parts.filter(isThere).slice(0, most)
}

/** Participants whose result would change from one to another; null means no result. */
type Move = { from: NamedResult | null; to: NamedResult | null; count: number }

/** Effect of a draft on the replayed participants. */
export type Replay = {
  nb_replayed: number
  /** Null for a sondage, which has no results. Only the most frequent moves are listed. */
  results: { nb_changed: number; moves: Move[] } | null
  /** Dimensions of the draft in their order, then deleted ones that participants were shown. */
  dimensions: DimensionReplay[]
  /** Replies without a valid counterpart in the draft, and the participants who gave them. */
  nb_lost_replies: number
  nb_losing: number
}

const REPLAY_COUNTS = ['nb_replayed', 'nb_changed', 'nb_lost_replies', 'nb_losing'] as const

/** Tally of some participants with all moves, from which the tally of all participants is merged. */
export type ReplayParts = Record<(typeof REPLAY_COUNTS)[number], number> & {
  moves: Move[]
  dimensions: DimensionReplay[]
}

/** Returns a tally of replayed participants, to be added from the newest. A deleted result has its latest name. */
export const createReplayTally = (next: Snapshot) => {
  const names = new Map(next.results.map(({ id, name }) => [id, name]))
  const moves = new Map<string, Move>()
  const tiers = createTierTally(next)
  const sum = { nb_replayed: 0, nb_changed: 0, nb_lost_replies: 0, nb_losing: 0 }
  const named = (result: NamedResult | null): NamedResult | null => {
    if (!result) return null
    const name = names.get(result.id) ?? result.name
    names.set(result.id, name)
    return { id: result.id, name }
  }
  return {
    add: ({ before, after, tiers: outcomes, nb_lost }: ReplayOutcome): void => {
      sum.nb_replayed++
      tiers.add(outcomes)
      sum.nb_lost_replies += nb_lost
      if (nb_lost > 0) sum.nb_losing++
      if (before?.id === after?.id) return
      sum.nb_changed++
      const key = `${before?.id} ${after?.id}`
      const move = moves.get(key) ?? { from: named(before), to: named(after), count: 0 }
      move.count++
      moves.set(key, move)
    },
    /** Adds the tally of older participants. */
    merge: (parts: ReplayParts): void => {
      for (const key of REPLAY_COUNTS) sum[key] += parts[key]
      tiers.merge(parts.dimensions)
      for (const { from, to, count } of parts.moves) {
        const key = `${from?.id} ${to?.id}`
        const move = moves.get(key) ?? { from: named(from), to: named(to), count: 0 }
        move.count += count
        moves.set(key, move)
      }
    },
    /** Returns all counts and moves, for `merge`. */
    parts: (): ReplayParts => ({ ...sum, moves: [...moves.values()], dimensions: tiers.parts() }),
    read: (): Replay => {
      const { nb_changed, ...others } = sum
      const frequent = mostFrequent(moves.values())
      const results = next.quiz.type === 'sondage' ? null : { nb_changed, moves: frequent }
      return { ...others, results, dimensions: tiers.read() }
    },
  }
}
