import type { ClipboardEvent } from 'react'
import { type FittedItems, pastedLines, withoutBullet } from '#domain/pasted-lines.ts'

/** Passes the items of a pasted list to `onItems`; inserts a single pasted line without its list sign. */
export const pasteList = (
  event: ClipboardEvent<HTMLElement>,
  onItems?: (items: string[]) => void,
): void => {
  const text = event.clipboardData.getData('text')
  const items = pastedLines(text)
  if (items && onItems) {
    event.preventDefault()
    onItems(items)
    return
  }
  const line = withoutBullet(text)
  if (items || line === text.trim()) return
  event.preventDefault()
  // `execCommand` keeps the insertion in the undo history of the browser.
  document.execCommand('insertText', false, line)
}

/** Returns a French sentence about shortened and omitted lines of a pasted list; undefined if none was. */
export const lossOfPaste = (
  { nb_shortened, nb_left_out }: FittedItems,
  { max_length, full }: { max_length: number; full: string },
): string | undefined => {
  const shortened = `${nb_shortened > 1 ? `${nb_shortened} lignes ont été raccourcies` : '1 ligne a été raccourcie'} à ${max_length} caractères.`
  const left_out = `${nb_left_out > 1 ? `${nb_left_out} lignes n’ont pas été collées` : '1 ligne n’a pas été collée'} : ${full}`
  const parts = [...(nb_shortened > 0 ? [shortened] : []), ...(nb_left_out > 0 ? [left_out] : [])]
  return parts.length > 0 ? parts.join(' ') : undefined
}
