import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { createDimensionScoring, tierAt } from '#domain/run/dimensions.ts'
import type { DimensionPercents } from '#domain/run/stored-dimensions.ts'

/**
 * Replay of the tiers of dimensions. Dimensions and tiers are matched by id, so that a new name is no change. A tier
 * changes only if the version and the draft both have the dimension. Participants of new and of deleted dimensions are
 * counted separately.
 */

/** State of a participant in a dimension. `hidden` means that the run does not show the dimension. */
export type TierState =
  | { kind: 'tier'; id: string; title: string }
  | { kind: 'no_tier' }
  | { kind: 'hidden' }

/** Old and new state of one participant in a dimension; null if the version or the draft lacks the dimension. */
export type TierOutcome = {
  dimension_id: string
  name: string
  before: TierState | null
  after: TierState | null
}

const NO_TIER: TierState = { kind: 'no_tier' }
const HIDDEN: TierState = { kind: 'hidden' }

/** Participants whose state in a dimension would change. */
type TierMove = { from: TierState; to: TierState; count: number }

/** Effect of a draft on the replayed participants in one dimension. */
export type DimensionReplay = {
  id: string
  name: string
  /** Participants whose version has the dimension, if the draft has it too. */
  nb_compared: number
  nb_changed: number
  /** Most frequent changes, the most frequent first. */
  moves: TierMove[]
  /** Participants whose version lacks the dimension and to whom the draft would show the dimension. */
  nb_new: number
  /** Participants who were shown the dimension, which the draft no longer has. */
  nb_deleted: number
}

type TierReplay = (
  percents: DimensionPercents | null,
  replies: Replies,
  visited: readonly SnapshotQuestion[],
) => TierOutcome[]

/**
 * Returns a function that replays the tiers of participants of one version on `next`. Its parameters are the stored
 * percents, the replies that remain valid, and the questions of `next` on their path.
 */
export const createTierReplay = (version: Snapshot, next: Snapshot): TierReplay => {
  const { dimensions: past = [] } = version
  const { dimensions: present = [] } = next
  const score = createDimensionScoring(next)
  const scored = present.map(({ id: dimension_id, name, tiers }) => {
    const rank = past.findIndex(({ id }) => id === dimension_id)
    const before = rank < 0 ? null : { rank, tiers: past[rank]?.tiers ?? [] }
    return { dimension_id, name, before, states: new Map(tiers.map(withStateOf)) }
  })
  const deleted = past.flatMap(({ id: dimension_id, name, tiers }, rank) =>
    present.some(({ id }) => id === dimension_id)
      ? []
      : [{ dimension_id, name, before: { rank, tiers } }],
  )
  return (percents, replies, visited) => {
    const scores = score(replies, visited)
    return [
      ...scored.map(({ dimension_id, name, before, states }) => {
        const found = scores.find((score) => score.dimension_id === dimension_id)
        const after = found ? (states.get(found.tier_id ?? '') ?? NO_TIER) : HIDDEN
        return { dimension_id, name, before: before && stateBefore(before, percents), after }
      }),
      ...deleted.map(({ dimension_id, name, before }) => ({
        dimension_id,
        name,
        before: stateBefore(before, percents),
        after: null,
      })),
    ]
  }
}

const stateOf = ({ id, title }: DimensionTier): TierState => ({ kind: 'tier', id, title })
const withStateOf = (tier: DimensionTier): [id: string, TierState] => [tier.id, stateOf(tier)]

/** Returns the state that the stored percents of a participant stand for. */
const stateBefore = (
  { rank, tiers }: { rank: number; tiers: readonly DimensionTier[] },
  percents: DimensionPercents | null,
): TierState => {
  const percent = percents?.[rank] ?? null
  if (percent === null) return HIDDEN
  const tier = tierAt(tiers, percent)
  return tier ? stateOf(tier) : NO_TIER
}

/** Maximum number of listed moves, because a longer list would identify participants. */
const MAX_MOVES = 50

/** Returns the most frequent moves, the most frequent first. */
export const mostFrequent = <M extends { count: number }>(moves: Iterable<M>): M[] =>
  [...moves].sort((a, b) => b.count - a.count).slice(0, MAX_MOVES)

/**
 * Creates a tally of the changes of tiers. Participants are added from the newest to the oldest, so that a deleted tier
 * or dimension has its latest name.
 */
export const createTierTally = ({ dimensions = [] }: Snapshot) => {
  const titles = new Map(
    dimensions.flatMap(({ tiers }) => tiers.map(({ id, title }) => [id, title])),
  )
  const tallies = new Map(dimensions.map(({ id, name }) => [id, createDimensionTally(id, name)]))
  const titled = (state: TierState): TierState => {
    if (state.kind !== 'tier') return state
    const title = titles.get(state.id) ?? state.title
    titles.set(state.id, title)
    return { ...state, title }
  }
  return {
    add: (outcomes: readonly TierOutcome[]): void => {
      for (const { dimension_id, name, before, after } of outcomes) {
        const tally = tallies.get(dimension_id) ?? createDimensionTally(dimension_id, name)
        tallies.set(dimension_id, tally)
        const { sum, moves } = tally
        if (!before) {
          if (after?.kind !== 'hidden') sum.nb_new++
          continue
        }
        if (!after) {
          if (before.kind !== 'hidden') sum.nb_deleted++
          continue
        }
        sum.nb_compared++
        const [from, to] = [keyOf(before), keyOf(after)]
        if (from === to) continue
        sum.nb_changed++
        const key = `${from} ${to}`
        const move = moves.get(key) ?? { from: titled(before), to: titled(after), count: 0 }
        move.count++
        moves.set(key, move)
      }
    },
    /** Adds the tally of older participants. */
    merge: (parts: readonly DimensionReplay[]): void => {
      for (const { id, name, moves, ...counts } of parts) {
        const tally = tallies.get(id) ?? createDimensionTally(id, name)
        tallies.set(id, tally)
        for (const key of TIER_COUNTS) tally.sum[key] += counts[key]
        for (const { from, to, count } of moves) {
          const key = `${keyOf(from)} ${keyOf(to)}`
          const move = tally.moves.get(key) ?? { from: titled(from), to: titled(to), count: 0 }
          move.count += count
          tally.moves.set(key, move)
        }
      }
    },
    /** Returns all counts and moves, for `merge`. */
    parts: (): DimensionReplay[] =>
      [...tallies.values()].map(({ sum, moves }) => ({ ...sum, moves: [...moves.values()] })),
    read: (): DimensionReplay[] => {
      const known = new Set(dimensions.map(({ id }) => id))
      return [...tallies.values()]
        .map(({ sum, moves }) => ({ ...sum, moves: mostFrequent(moves.values()) }))
        .filter(({ id, nb_deleted }) => known.has(id) || nb_deleted > 0)
    },
  }
}

const TIER_COUNTS = ['nb_compared', 'nb_changed', 'nb_new', 'nb_deleted'] as const

const createDimensionTally = (id: string, name: string) => ({
  sum: { id, name, nb_compared: 0, nb_changed: 0, nb_new: 0, nb_deleted: 0 },
  moves: new Map<string, TierMove>(),
})

const keyOf = (state: TierState): string => (state.kind === 'tier' ? state.id : state.kind)
