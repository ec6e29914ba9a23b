import { type Fields, fieldsOf, rowsOf, textOf } from './json-values.ts'

/** Flow of a Typebot export: groups of blocks, connected by edges, jumps and returns. */

/**
 * Group of blocks with its title. The blocks after a jump are a group of their own, because they come only after the
 * return.
 */
export type TypebotGroup = { id: string; title: string; blocks: Fields[] }

/** Reachable groups, ordered so that every edge leads forward except edges that close a loop. */
export type TypebotFlow = {
  groups: TypebotGroup[]
  /** Returns the id of the group that an edge leads to; undefined for an unknown edge. */
  targetOf: (edge_id: unknown) => string | undefined
  /** Returns the id of the group that a jump leads to; undefined for other blocks and for groups of other bots. */
  jumpTargetOf: (block: Fields) => string | undefined
  /** Returns the group that follows a group if no answer leads elsewhere; undefined if the run ends there. */
  nextOf: (group: TypebotGroup) => string | undefined
  /** Returns the id of the group whose page comes after the page of a group. */
  followingOf: (group: TypebotGroup) => string | undefined
  /** Returns true if a group returns to several jumps, so that no page follows in all runs. */
  returnsToSeveral: (group: TypebotGroup) => boolean
  /** Titles of groups that no path reaches. */
  unreachable: string[]
}

/** Returns true for a block that leads to a group of the same bot. */
const isJump = ({ type, options }: Fields): boolean =>
  type === 'Jump' || (type === 'Typebot link' && fieldsOf(options).typebotId === 'current')
const isReturn = ({ type }: Fields): boolean => type === 'Return'
const isStart = ({ type }: Fields): boolean => type === 'start'

/** Splits a group after each jump that has further blocks. The first part keeps the id. */
const splitAtJumps = (group: TypebotGroup): TypebotGroup[] => {
  const parts: TypebotGroup[] = [{ ...group, blocks: [] }]
  for (const [index, block] of group.blocks.entries()) {
    parts.at(-1)?.blocks.push(block)
    if (isJump(block) && index < group.blocks.length - 1)
      parts.push({ ...group, id: `${group.id} ${parts.length}`, blocks: [] })
  }
  return parts
}

/** Reads the groups of an export, ordered from its start. */
export const readFlow = (file: Fields): TypebotFlow => {
  const split = rowsOf(file.groups).map(({ id, title, blocks }) =>
    splitAtJumps({ id: textOf(id), title: textOf(title), blocks: rowsOf(blocks) }),
  )
  const all = split.flat()
  const byId = new Map(all.map((group) => [group.id, group]))
  const byBlock = new Map(
    split
      .filter((parts) => parts.length > 1)
      .flatMap((parts) =>
        parts.flatMap(({ id, blocks }) => blocks.map((block) => [textOf(block.id), id] as const)),
      ),
  )
  const placeOf = ({ groupId, blockId }: Fields): string =>
    (textOf(blockId) === '' ? undefined : byBlock.get(textOf(blockId))) ?? textOf(groupId)
  const targets = new Map(
    rowsOf(file.edges).map(({ id, to }) => [textOf(id), placeOf(fieldsOf(to))]),
  )
  const targetOf = (edge_id: unknown): string | undefined => targets.get(textOf(edge_id))
  const jumpTargetOf = (block: Fields): string | undefined => {
    const target = isJump(block) ? placeOf(fieldsOf(block.options)) : ''
    return byId.has(target) ? target : undefined
  }
  const edgeOf = ({ blocks }: TypebotGroup): string | undefined =>
    targetOf(blocks.findLast((block) => block.outgoingEdgeId !== undefined)?.outgoingEdgeId)
  const jumpOf = ({ blocks }: TypebotGroup): string | undefined =>
    blocks.map(jumpTargetOf).find((id) => id !== undefined)
  const hasReturns = all.some(({ blocks }) => blocks.some(isReturn))
  const restOf = new Map(
    split.flatMap((parts) => parts.slice(1).map((part, index) => [parts[index], part.id] as const)),
  )
  /** Returns the group after the return from the jump of a group. */
  const continuationOf = (group: TypebotGroup): string | undefined =>
    hasReturns && jumpOf(group) !== undefined ? (restOf.get(group) ?? edgeOf(group)) : undefined

  const followers = (group: TypebotGroup): string[] =>
    [
      // The continuation comes first, because the search places the followers that it visits later before it.
      continuationOf(group),
      edgeOf(group),
      ...group.blocks.flatMap((block) => [
        ...rowsOf(block.items).map(({ outgoingEdgeId }) => targetOf(outgoingEdgeId)),
        targetOf(block.outgoingEdgeId),
      ]),
      jumpOf(group),
    ].filter((id) => id !== undefined)
  const events = rowsOf(file.events)
  const event = events.find(isStart) ?? events[0]
  const start = all.find(({ blocks }) => blocks.some(isStart))
  const first = targetOf(event?.outgoingEdgeId) ?? (start && edgeOf(start)) ?? all[0]?.id
  const groups = orderFrom(byId, first, followers)
  const returns = findReturns(groups, byId, { jumpOf, continuationOf, followers })
  const returnOf = (group: TypebotGroup): string | null | undefined =>
    group.blocks.some(isReturn) ? returns.get(group) : undefined
  const following = new Map(groups.map((group, rank) => [group, groups[rank + 1]?.id]))
  const lost = all
    .filter((group) => !following.has(group) && group !== start)
    .map(({ title }) => title)
  return {
    groups,
    targetOf,
    jumpTargetOf,
    nextOf: (group) => jumpOf(group) ?? returnOf(group) ?? edgeOf(group),
    followingOf: (group) => following.get(group),
    returnsToSeveral: (group) => returnOf(group) === null,
    unreachable: [...new Set(lost)],
  }
}

type Walk = Record<'jumpOf' | 'continuationOf', (group: TypebotGroup) => string | undefined> & {
  followers: (group: TypebotGroup) => string[]
}

/**
 * Returns the continuation of the jump that leads to each group; null if jumps with different continuations do. Visits
 * each group at most twice.
 */
const findReturns = (
  groups: readonly TypebotGroup[],
  byId: ReadonlyMap<string, TypebotGroup>,
  { jumpOf, continuationOf, followers }: Walk,
): ReadonlyMap<TypebotGroup, string | null> => {
  const returns = new Map<TypebotGroup, string | null>()
  const waiting: { id: string | undefined; to: string | null }[] = groups.flatMap((group) => {
    const to = continuationOf(group)
    return to === undefined ? [] : { id: jumpOf(group), to }
  })
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const group = byId.get(next.id ?? '')
    if (!group) continue
    const known = returns.get(group)
    if (known === null || known === next.to) continue
    const to = known === undefined ? next.to : null
    returns.set(group, to)
    // A return ends the part of the flow that belongs to the jump; an inner jump has a return of its own.
    if (group.blocks.some(isReturn)) continue
    const inner = continuationOf(group) === undefined ? undefined : jumpOf(group)
    for (const id of followers(group)) if (id !== inner) waiting.push({ id, to })
  }
  return returns
}

/** Returns the reachable groups in reverse postorder of a depth-first search, without recursion. */
const orderFrom = (
  groups: ReadonlyMap<string, TypebotGroup>,
  first: string | undefined,
  followers: (group: TypebotGroup) => string[],
): TypebotGroup[] => {
  const root = groups.get(first ?? '')
  if (!root) return []
  const seen = new Set([root])
  const done: TypebotGroup[] = []
  const stack = [{ group: root, left: followers(root).reverse() }]
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const next = groups.get(top.left.pop() ?? '')
    if (next && !seen.has(next)) {
      seen.add(next)
      stack.push({ group: next, left: followers(next).reverse() })
    } else if (top.left.length === 0) {
      done.push(top.group)
      stack.pop()
    }
  }
  return done.reverse()
}
