/** Ordered ids, by group. */
export type Groups = Record<string, string[]>
/** The position of an id in its group. */
export type Place = { group: string; index: number }

/** Returns the position of an id; undefined if no group has it. */
export const findPlace = (groups: Groups, id: string): Place | undefined => {
  for (const [group, ids] of Object.entries(groups)) {
    const index = ids.indexOf(id)
    if (index !== -1) return { group, index }
  }
  return undefined
}

/** Returns the groups with `id` moved directly before or after another item; the same object if its place is unchanged. */
export const moveNextTo = (
  groups: Groups,
  id: string,
  { beside, isAfter }: { beside: string; isAfter: boolean },
): Groups => {
  const from = findPlace(groups, id)
  const others = without(groups, id)
  const to = findPlace(others, beside)
  if (!from || !to) return groups
  const index = to.index + (isAfter ? 1 : 0)
  if (from.group === to.group && from.index === index) return groups
  return insert(others, id, { group: to.group, index })
}

/**
 * Returns the groups with `id` moved to the start or end of a group; the same object if it is already in the group.
 */
export const moveToGroup = (
  groups: Groups,
  id: string,
  { group, isLast }: { group: string; isLast: boolean },
): Groups => {
  const from = findPlace(groups, id)
  const ids = groups[group]
  if (!from || !ids || from.group === group) return groups
  return { ...without(groups, id), [group]: isLast ? [...ids, id] : [id, ...ids] }
}

/** Returns the positions one step up and one step down. After the end of a group comes the next group. */
export const findAdjacentPlaces = (
  groups: Groups,
  { group, index }: Place,
): { above: Place | undefined; below: Place | undefined } => {
  const names = Object.keys(groups)
  const rank = names.indexOf(group)
  const [previous, next] = [names[rank - 1], names[rank + 1]]
  const countOf = (name = ''): number => groups[name]?.length ?? 0
  const placeIn = (name: string | undefined, at: number): Place | undefined =>
    name === undefined ? undefined : { group: name, index: at }
  return {
    above: index > 0 ? placeIn(group, index - 1) : placeIn(previous, countOf(previous)),
    below: index < countOf(group) - 1 ? placeIn(group, index + 1) : placeIn(next, 0),
  }
}

/** Returns the groups with `id` moved by one step; the same object if there is no further step. */
export const moveOneStep = (groups: Groups, id: string, to: 'above' | 'below'): Groups => {
  const from = findPlace(groups, id)
  const place = from && findAdjacentPlaces(groups, from)[to]
  return place ? insert(without(groups, id), id, place) : groups
}

const insert = (others: Groups, id: string, { group, index }: Place): Groups => ({
  ...others,
  [group]: others[group]?.toSpliced(index, 0, id) ?? [id],
})

const without = (groups: Groups, id: string): Groups =>
  Object.fromEntries(
    Object.entries(groups).map(([group, ids]) => [group, ids.filter((other) => other !== id)]),
  )
