import type { Field } from './page-fields.ts'

/** Returns true for inputs. `instanceof` would fail in the live preview, whose fields belong to another window. */
const isInput = (target: EventTarget | null): target is HTMLInputElement =>
  target !== null && 'validity' in target

/** Returns the name of a field that contains an invalid number or date; undefined for another field. */
export const findBadInput = (target: EventTarget | null): string | undefined =>
  isInput(target) && target.validity.badInput ? target.name : undefined

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

/** Replaces the comma of decimals typed before the script ran, because number fields only accept a point. */
export const readDecimals = (form: HTMLFormElement): void => {
  for (const field of form.querySelectorAll<Field>('[inputmode=decimal]:not([type=number])'))
    field.value = field.value.replace(',', '.')
}
