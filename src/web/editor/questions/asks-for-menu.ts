import type { KeyboardEvent } from 'react'

/** Whether a key is the slash on an empty line, which opens the menu of what to add and is not typed. */
export const asksForMenu = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
  const { key, currentTarget, nativeEvent } = event
  if (key !== '/' || currentTarget.value !== '' || nativeEvent.isComposing) return false
  event.preventDefault()
  return true
}
