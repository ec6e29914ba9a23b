import { type Change, MIN_COMPARED_PEOPLE, pairedChange, unpairedChange } from './change.ts'
import { createTQuantiles } from './student-t.ts'

/** Reply in one of two compared campaigns. */
export type ComparedReply = {
  /** Key of the mailbox of the person; null in an anonymous campaign. */
  person_key: string | null
  group_name: string | null
  /** Percent of the possible points, as on certificates; null without a score. */
  percent: number | null
  /** Percents of the dimensions by their key (compared-dimensions.ts). */
  dimensions: ReadonlyMap<string, number>
}

/** Score or dimension of two campaigns. */
export type ComparedFigure = { key: string; name: string }
/** Key of the score. Keys of dimensions are longer. */
export const SCORE_KEY = ''
/** French name of the score. */
const SCORE_NAME = 'Score'

/** Change of one figure; the change is null if too few people have the figure. */
export type Measure = ComparedFigure & {
  /** Replies with the figure in each campaign; equal in a comparison of people. */
  nb_before: number
  nb_after: number
  change: Change | null
}

/** Changes of a group of people; the name is null for people without a group. */
type GroupChanges = { group_name: string | null; measures: Measure[] }

/** Comparison of two campaigns. */
export type Comparison = {
  /** Changes of all people, in the order of the figures. */
  measures: Measure[]
  /** Changes by group, by name and people without a group last; an empty list unless two groups exist. */
  groups: GroupChanges[]
  /** Number of further groups with fewer people. */
  nb_left_out_groups: number
}

/** Two replies of one person. */
export type ReplyPair<R extends ComparedReply = ComparedReply> = { before: R; after: R }

/** Maximum number of groups of a comparison. */
export const MAX_COMPARED_GROUPS = 100

/** Returns the pairs of replies of people who replied to both campaigns, in the order of `after`. */
export const pairReplies = <R extends ComparedReply>(
  before: readonly R[],
  after: readonly R[],
): ReplyPair<R>[] => {
  const earlier = new Map(before.map((reply) => [reply.person_key, reply]))
  return after.flatMap((reply) => {
    const found = reply.person_key === null ? undefined : earlier.get(reply.person_key)
    return found ? [{ before: found, after: reply }] : []
  })
}

/** Returns the group of a pair: that of the later campaign, or of the earlier one for a person without a group later. */
export const groupOfPair = ({ before, after }: ReplyPair): string | null =>
  after.group_name ?? before.group_name

/** Returns a figure of a reply in percent; null if the reply does not have it. */
export const figureOf = (reply: ComparedReply, key: string): number | null =>
  key === SCORE_KEY ? reply.percent : (reply.dimensions.get(key) ?? null)

/** Returns the score, if both campaigns have one, and the given dimensions. */
export const comparedFigures = (
  before: readonly ComparedReply[],
  after: readonly ComparedReply[],
  dimensions: readonly ComparedFigure[],
): ComparedFigure[] => {
  const hasScore = (replies: readonly ComparedReply[]): boolean =>
    replies.some(({ percent }) => percent !== null)
  return [
    ...(hasScore(before) && hasScore(after) ? [{ key: SCORE_KEY, name: SCORE_NAME }] : []),
    ...dimensions,
  ]
}

/** Returns the changes of people who replied to both campaigns. */
export const comparePairs = (
  pairs: readonly ReplyPair[],
  figures: readonly ComparedFigure[],
): Comparison => {
  const quantileOf = createTQuantiles()
  const measuresOf = (some: readonly ReplyPair[]): Measure[] =>
    figures.map((figure) => {
      const values = some.flatMap(({ before, after }) => {
        const [from, to] = [figureOf(before, figure.key), figureOf(after, figure.key)]
        return from === null || to === null ? [] : [{ from, to }]
      })
      const change = pairedChange(
        values.map(({ from }) => from),
        values.map(({ to }) => to),
        quantileOf,
      )
      return { ...figure, nb_before: values.length, nb_after: values.length, change }
    })
  const groups = [...Map.groupBy(pairs, groupOfPair)].map(([group_name, some]) => ({
    group_name,
    size: some.length,
    measures: measuresOf(some),
  }))
  return { measures: measuresOf(pairs), ...shownGroups(groups) }
}

/**
 * Returns the differences of the means of two campaigns, whose people cannot be paired. A group is also hidden if the
 * replies outside the shown groups would otherwise be fewer than five, because their mean could be computed.
 */
export const compareMeans = (
  before: readonly ComparedReply[],
  after: readonly ComparedReply[],
  figures: readonly ComparedFigure[],
): Comparison => {
  const quantileOf = createTQuantiles()
  const measuresOf = (first: readonly ComparedReply[], second: readonly ComparedReply[]) =>
    figures.map((figure): Measure => {
      const valuesOf = (replies: readonly ComparedReply[]): number[] =>
        replies.flatMap((reply) => figureOf(reply, figure.key) ?? [])
      const [from, to] = [valuesOf(first), valuesOf(second)]
      const change = unpairedChange(from, to, quantileOf)
      return { ...figure, nb_before: from.length, nb_after: to.length, change }
    })
  const byGroup = (replies: readonly ComparedReply[]) =>
    Map.groupBy(replies, ({ group_name }) => group_name)
  const [earlier, later] = [byGroup(before), byGroup(after)]
  const names = new Set([...earlier.keys(), ...later.keys()])
  const groups = [...names].map((group_name) => {
    const [first, second] = [earlier.get(group_name) ?? [], later.get(group_name) ?? []]
    return {
      group_name,
      size: first.length + second.length,
      measures: measuresOf(first, second),
    }
  })
  const measures = measuresOf(before, after)
  return { measures, ...shownGroups(hideTellingGroups(measures, groups)) }
}

type SizedGroup = GroupChanges & { size: number }

/** Hides changes of groups, smallest first, until none or at least five replies are outside the shown groups. */
const hideTellingGroups = (
  totals: readonly Measure[],
  groups: readonly SizedGroup[],
): SizedGroup[] => {
  const sorted = [...groups].sort((first, second) => first.size - second.size)
  const hidden = new Set<Measure>()
  for (const [rank, total] of totals.entries()) {
    const shown = sorted.flatMap(({ measures }) => {
      const measure = measures[rank]
      return measure?.change ? [measure] : []
    })
    const isTelling = (): boolean =>
      (['nb_before', 'nb_after'] as const).some((side) => {
        const rest = shown.reduce((left, measure) => left - measure[side], total[side])
        return rest > 0 && rest < MIN_COMPARED_PEOPLE
      })
    while (shown.length > 0 && isTelling()) {
      const [smallest] = shown.splice(0, 1)
      if (smallest) hidden.add(smallest)
    }
  }
  return sorted.map(({ measures, ...group }) => ({
    ...group,
    measures: measures.map((measure) =>
      hidden.has(measure) ? { ...measure, change: null } : measure,
    ),
  }))
}

/** Returns the largest groups, by name and people without a group last. */
const shownGroups = (
  groups: readonly SizedGroup[],
): Pick<Comparison, 'groups' | 'nb_left_out_groups'> => {
  if (groups.length < 2) return { groups: [], nb_left_out_groups: 0 }
  const largest = [...groups]
    .sort((first, second) => second.size - first.size)
    .slice(0, MAX_COMPARED_GROUPS)
    .sort((first, second) =>
      first.group_name === null || second.group_name === null
        ? Number(first.group_name === null) - Number(second.group_name === null)
        : first.group_name.localeCompare(second.group_name, 'fr'),
    )
  return {
    groups: largest.map(({ group_name, measures }) => ({ group_name, measures })),
    nb_left_out_groups: groups.length - largest.length,
  }
}
