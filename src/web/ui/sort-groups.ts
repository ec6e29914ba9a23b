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
  return { ...others, [to.group]: others[to.group]?.toSpliced(index, 0, id) ?? [id] }
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

const without = (groups: Groups, id: string): Groups =>
  Object.fromEntries(
    Object.entries(groups).map(([group, ids]) => [group, ids.filter((other) => other !== id)]),
  )
