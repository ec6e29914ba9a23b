/** Ordered ids, by group. */
export type Groups = Record<string, string[]>
export type Place = { group: string; index: number }

/** The place of an id. */
export const findPlace = (groups: Groups, id: string): Place | undefined => {
  for (const [group, ids] of Object.entries(groups)) {
    const index = ids.indexOf(id)
    if (index !== -1) return { group, index }
  }
  return undefined
}

/** The groups with `id` moved just before or after `beside`; the same object when it is already there. */
export const placeBeside = (
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

/** The groups with `id` moved to the start or end of a group; the same object when it is already in it. */
export const placeInGroup = (
  groups: Groups,
  id: string,
  { group, isLast }: { group: string; isLast: boolean },
): Groups => {
  const from = findPlace(groups, id)
  const ids = groups[group]
  if (!from || !ids || from.group === group) return groups
  return { ...without(groups, id), [group]: isLast ? [...ids, id] : [id, ...ids] }
}

/** The places one step up and one step down: beyond the end of a group is the next group. */
export const placesAround = (
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

/** The groups with `id` one step further; the same object where there is none. */
export const placeOneStep = (groups: Groups, id: string, to: 'above' | 'below'): Groups => {
  const from = findPlace(groups, id)
  const place = from && placesAround(groups, from)[to]
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
