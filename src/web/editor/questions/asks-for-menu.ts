import type { KeyboardEvent } from 'react'

/** Whether a key is the slash on an empty line, which opens the menu of what to add and is not typed. */
export const asksForMenu = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
  const { key, ctrlKey, metaKey, currentTarget, nativeEvent } = event
  if (key !== '/' || ctrlKey || metaKey || nativeEvent.isComposing) return false
  const { value, selectionStart, selectionEnd } = currentTarget
  const isEmptyLine = [value[selectionStart - 1] ?? '\n', value[selectionEnd] ?? '\n'].every(
    (beside) => beside === '\n',
  )
  if (selectionStart !== selectionEnd || !isEmptyLine) return false
  event.preventDefault()
  return true
}
