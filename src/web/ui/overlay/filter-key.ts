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
