import { repliesOf } from '#domain/form-replies.ts'
import type { Replies } from '#domain/quiz.ts'
import { ASKS_MORE } from './asked.ts'

export type Field = HTMLInputElement | HTMLTextAreaElement

/** Returns the values of the fields of a page by question id, without NUL, which PostgreSQL cannot store. */
export const readReplies = (form: HTMLFormElement): Replies =>
  repliesOf([...new FormData(form)].map(([id, value]) => [id, String(value).replaceAll('\0', '')]))

/** Tells inputs from other targets. `instanceof` fails in the live preview, whose fields belong to another window. */
export const isInput = (target: EventTarget | null): target is HTMLInputElement =>
  target !== null && 'validity' in target

/**
 * Inserts a typed or pasted comma as a point and a minus sign as a hyphen, and removes spaces between digits: number fields
 * may drop these characters, so that 3,5 would become 35. Inserts nothing of a text with two separators, which is ambiguous.
 */
export const pointDecimals = (event: InputEvent): void => {
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

/**
 * Makes Enter lead from an input to the next field, and press the page's button from the last one. Browsers would send
 * the form from any field. A held key and the Enter of an input method do nothing.
 */
export const leadOnEnter = (event: KeyboardEvent): void => {
  const field = event.target as HTMLInputElement
  // In a composition Enter has the code 229. Safari confirms one without marking the key as composing.
  if (event.keyCode !== 13 || event.isComposing || !field.matches('input')) return
  event.preventDefault()
  const { form, name } = field
  if (event.repeat || !form) return
  const stops = [...form.querySelectorAll<Field>('input:not([type=hidden]),textarea,.q-next')]
  const next = stops
    .slice(stops.indexOf(field))
    .find((one) => one.name !== name && !(ASKS_MORE && isUnchosenOther(one)))
  const chosen = form.querySelector<Field>(`[type=radio][name="${next?.name}"]:checked`) ?? next
  if (next?.type === 'submit') next.click()
  else chosen?.focus()
}

/** Whether a field is the text of an « Autre… » that is not chosen. */
const isUnchosenOther = (field: Field): boolean =>
  field.matches('.q-other>.q-input') && !field.parentElement?.querySelector(':checked')
