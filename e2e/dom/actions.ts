import type { UserEvent } from '@testing-library/user-event'
import { normalizeSpace } from './queries.ts'
import { waitFor } from './wait.ts'

export type FilePayload = { name: string; mimeType: string; buffer: Buffer }
export type OptionChoice = string | { label?: string; value?: string; index?: number }

type View = Window & typeof globalThis

const viewOf = (element: Element): View => element.ownerDocument.defaultView as View

/** Input types whose value a person chooses, so that each value is a change. */
const CHOSEN_TYPES = ['date', 'datetime-local', 'time', 'color', 'range', 'month']

/** Replaces the text of a field, as a paste over its whole text does. */
export const fillField = (element: HTMLElement, text: string): void => {
  const view = viewOf(element)
  const isArea = element instanceof view.HTMLTextAreaElement
  if (!isArea && !(element instanceof view.HTMLInputElement))
    throw new Error(`${element.tagName} takes no text`)
  element.focus()
  const { prototype } = isArea ? view.HTMLTextAreaElement : view.HTMLInputElement
  // The setter of the prototype, because React replaces that of the element.
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, text)
  const init = { bubbles: true, data: text, inputType: 'insertText' }
  element.dispatchEvent(new view.InputEvent('input', init))
  if (!isArea && CHOSEN_TYPES.includes(element.type))
    element.dispatchEvent(new view.Event('change', { bubbles: true }))
}

/** Chooses an option of a select by its value, its label or its index, once the select has it. */
export const chooseOption = async (
  user: UserEvent,
  element: HTMLElement,
  choice: OptionChoice,
): Promise<void> => {
  const { label, value, index } =
    typeof choice === 'string' ? { label: choice, value: choice } : choice
  const wanted = label === undefined ? undefined : normalizeSpace(label)
  const option = await waitFor(() => {
    const found = [...(element as HTMLSelectElement).options].find(
      (candidate, place) =>
        candidate.value === value || normalizeSpace(candidate.text) === wanted || place === index,
    )
    if (!found) throw new Error(`The list has no option ${JSON.stringify(choice)}`)
    return found
  })
  await user.selectOptions(element, option)
}

/** Chooses files in a file input. */
export const chooseFiles = async (
  user: UserEvent,
  element: HTMLElement,
  files: FilePayload | FilePayload[],
): Promise<void> => {
  const { File } = viewOf(element)
  const chosen = [files]
    .flat()
    .map(
      ({ name, mimeType, buffer }) => new File([new Uint8Array(buffer)], name, { type: mimeType }),
    )
  await user.upload(element, chosen)
}

/** Dispatches an event that bubbles. */
export const dispatchOn = (element: HTMLElement, type: string, init: EventInit = {}): void => {
  const { Event } = viewOf(element)
  element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true, ...init }))
}

/**
 * Stands for `document.execCommand`, with `insertText` and `delete`: replaces the selected text of the focused field, as typed
 * text does. Returns false for other commands and without a field.
 */
export const editSelection = (document: Document, command: string, text = ''): boolean => {
  const field = document.activeElement as HTMLInputElement | null
  if (!['insertText', 'delete'].includes(command) || field?.selectionStart == null) return false
  const { selectionStart: from, selectionEnd, value } = field
  const inserted = command === 'insertText' ? text : ''
  const to = selectionEnd ?? from
  fillField(field, value.slice(0, from) + inserted + value.slice(to))
  field.setSelectionRange(from + inserted.length, from + inserted.length)
  return true
}
