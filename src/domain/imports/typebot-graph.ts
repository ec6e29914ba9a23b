import { type Fields, fieldsOf, rowsOf, textOf } from './json-values.ts'

/** Flow of a Typebot export: groups of blocks, connected by edges. */

/** Group of blocks with its title. */
export type TypebotGroup = { id: string; title: string; blocks: Fields[] }

/** Reachable groups, ordered so that every edge leads forward except edges that close a loop. */
export type TypebotFlow = {
  groups: TypebotGroup[]
  /** Returns the id of the group that an edge leads to; undefined for an unknown edge. */
  targetOf: (edge_id: unknown) => string | undefined
  /** Returns the group that follows a group if no answer leads elsewhere; undefined if the run ends there. */
  nextOf: (group: TypebotGroup) => string | undefined
  /** Titles of groups that no path reaches. */
  unreachable: string[]
}

/** Reads the groups of an export, ordered from its start. */
export const readFlow = (file: Fields): TypebotFlow => {
  const all = rowsOf(file.groups).map((group) => ({
    id: textOf(group.id),
    title: textOf(group.title),
    blocks: rowsOf(group.blocks),
  }))
  const byId = new Map(all.map((group) => [group.id, group]))
  const targets = new Map(
    rowsOf(file.edges).map(({ id, to }) => [textOf(id), textOf(fieldsOf(to).groupId)]),
  )
  const targetOf = (edge_id: unknown): string | undefined => targets.get(textOf(edge_id))
  const nextOf = ({ blocks }: TypebotGroup): string | undefined =>
    targetOf(blocks.findLast((block) => block.outgoingEdgeId !== undefined)?.outgoingEdgeId)
  const isStart = ({ type }: Fields): boolean => type === 'start'
  const [event] = rowsOf(file.events)
  const start = all.find(({ blocks }) => blocks.some(isStart))
  const first = targetOf(event?.outgoingEdgeId) ?? (start && nextOf(start)) ?? all[0]?.id
  const followers = (group: TypebotGroup): string[] =>
    [
      nextOf(group),
      ...group.blocks.flatMap((block) => [
        ...rowsOf(block.items).map(({ outgoingEdgeId }) => targetOf(outgoingEdgeId)),
        targetOf(block.outgoingEdgeId),
      ]),
    ].filter((id) => id !== undefined)
  const groups = orderFrom(byId, first, followers)
  const reached = new Set(groups)
  return {
    ...{ groups, targetOf, nextOf },
    unreachable: all.filter((one) => !reached.has(one) && one !== start).map(({ title }) => title),
  }
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
  const stack = [{ group: root, left: followers(root) }]
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const next = groups.get(top.left.shift() ?? '')
    if (next && !seen.has(next)) {
      seen.add(next)
      stack.push({ group: next, left: followers(next) })
    } else if (top.left.length === 0) {
      done.push(top.group)
      stack.pop()
    }
  }
  return done.reverse()
}
