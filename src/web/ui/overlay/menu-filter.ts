import { comparableText } from '#domain/common/comparable-text.ts'

type Entry = { label: string }

/**
 * Returns the groups with the entries that have a word beginning with the filter. If there are none, returns those
 * that contain it. Ignores case and accents.
 */
export const filterGroups = <Item extends Entry, Group extends { items: readonly Item[] }>(
  groups: readonly Group[],
  filter: string,
): Group[] => {
  const part = comparableText(filter)
  const matching = (sought: string): Group[] =>
    groups
      .map((group) => ({
        ...group,
        items: group.items.filter(({ label }) => ` ${comparableText(label)}`.includes(sought)),
      }))
      .filter(({ items }) => items.length > 0)
  const found = matching(` ${part}`)
  return found.length > 0 ? found : matching(part)
}
