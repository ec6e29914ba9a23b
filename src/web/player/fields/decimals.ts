import { isInput } from './page-fields.ts'

/**
 * Inserts a comma as a point and a minus sign as a hyphen, and removes spaces between digits. Otherwise
 * number fields may drop these characters: 3,5 would become 35. A text with two separators is ambiguous and dropped.
 */
export const normalizeDecimals = (event: InputEvent): void => {
  const { target, data } = event
  if (!isInput(target) || target.type !== 'number' || !/[,−]|\..*\./.test(data ?? '')) return
  event.preventDefault()
  if (!data || /[.,].*[.,]/.test(data)) return
  target.ownerDocument.execCommand(
    'insertText',
    false,
    data.replace(',', '.').replace('−', '-').replace(/\s/g, ''),
  )
}
