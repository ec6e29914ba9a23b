import type { Replies } from '#domain/questionnaire/quiz.ts'
import { repliesOf } from '#domain/run/replies.ts'
import { parts } from '#web/player/parts.ts'

/** Field of a page with a text. */
export type Field = HTMLInputElement | HTMLTextAreaElement

/** Returns the values of the fields of a page by question id, without NUL, which PostgreSQL cannot store. */
export const readReplies = (form: HTMLFormElement): Replies => {
  parts.readDecimals?.(form)
  return repliesOf(
    [...new FormData(form)].map(([id, value]) => [id, String(value).replaceAll('\0', '')]),
  )
}

/**
 * Moves the focus to the next field on Enter, because browsers would send the form. From the last field, Enter presses
 * the button of the page. A held key and the Enter of an input method do nothing.
 */
export const focusNextOnEnter = (event: KeyboardEvent): void => {
  const field = event.target as HTMLInputElement
  // Enter has the code 229 in a composition. Safari does not mark the Enter that ends one as composing.
  if (event.keyCode !== 13 || event.isComposing || !field.matches('input')) return
  event.preventDefault()
  const { form, name } = field
  if (event.repeat || !form) return
  const stops = [...form.querySelectorAll<Field>('input:not([type=hidden]),textarea,.q-next')]
  const next = stops
    .slice(stops.indexOf(field))
    .find((stop) => stop.name !== name && !parts.isUnchosenOther?.(stop))
  const chosen = form.querySelector<Field>(`[type=radio][name="${next?.name}"]:checked`) ?? next
  if (next?.type === 'submit') next.click()
  else chosen?.focus()
}
