import { comparableText } from '#domain/common/comparable-text.ts'

/** Pressed key with its modifiers. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * Returns the filter of a menu after a key; undefined if the key does not type. A leading space does not type, because
 * the space bar chooses the focused entry.
 */
export const filterAfterKey = (
  filter: string,
  { key, ctrlKey, metaKey, altKey }: PressedKey,
): string | undefined => {
  if (ctrlKey || metaKey || altKey) return undefined
  if (key === 'Backspace') return filter === '' ? undefined : [...filter].slice(0, -1).join('')
  const isTyped = [...key].length === 1 && (key !== ' ' || filter !== '')
  return isTyped ? filter + key : undefined
}

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
