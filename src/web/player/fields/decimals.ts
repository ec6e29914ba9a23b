import type { Field } from './page-fields.ts'

/** Target of an event, as an input or another element. `instanceof` would fail in the live preview, which has a window of its own. */
type Target = Partial<HTMLInputElement> | null

/** Returns the name of a field that contains an invalid number or date; undefined for another field. */
export const findBadInput = (target: EventTarget | null): string | undefined => {
  const field: Target = target
  return field?.validity?.badInput ? field.name : undefined
}

/**
 * Inserts a comma as a point and a minus sign as a hyphen, and removes spaces between digits. Otherwise
 * number fields may drop these characters: 3,5 would become 35. Ignores a text with two separators, because it is ambiguous.
 */
export const normalizeDecimals = (event: InputEvent): void => {
  const { data } = event
  const field: Target = event.target
  if (!data || field?.type !== 'number' || !/[,−]|\..*\./.test(data)) return
  event.preventDefault()
  if (/[.,].*[.,]/.test(data)) return
  field.ownerDocument?.execCommand(
    'insertText',
    false,
    data.replace(',', '.').replace('−', '-').replace(/\s/g, ''),
  )
}

/** Replaces the comma of decimals typed before the script ran, because number fields only accept a point. */
export const readDecimals = (form: HTMLFormElement): void => {
  for (const field of form.querySelectorAll<Field>('[step]:not([type=number])'))
    field.value = field.value.replace(',', '.')
}
