import { type ClipboardEvent, useEffect, useRef, useState } from 'react'
import { type FittedItems, pastedLines, withoutBullet } from '#domain/common/pasted-lines.ts'

type ItemKeys = {
  /** Called by Alt and an arrow key: one step up (-1) or down (1). */
  onStep: (id: string, step: -1 | 1) => void
  /** Called by Ctrl+D or ⌘D. */
  onCopy?: (id: string) => void
}

/** Handles keyboard shortcuts of the focused item, the closest element with a `data-item` id. */
export const useItemKeys = (keys: ItemKeys): void => {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const item = (event.target as Element).closest<HTMLElement>('[data-item]')
      const id = item?.dataset.item
      if (!id) return
      const { onStep, onCopy } = latest.current
      const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown'
      if (event.altKey && isArrow) onStep(id, event.key === 'ArrowUp' ? -1 : 1)
      else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd' && onCopy)
        onCopy(id)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/**
 * Returns whether an optional field is shown, and a function that shows it. A filled field stays after it is
 * cleared, so that it does not disappear during an edit.
 */
export const useStickyVisibility = (isFilled: boolean): [isShown: boolean, show: () => void] => {
  const [isShown, setShown] = useState(isFilled)
  if (isFilled && !isShown) setShown(true)
  return [isShown, () => setShown(true)]
}

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
export const pasteLossMessage = (
  { nb_shortened, nb_left_out }: FittedItems,
  { max_length, full }: { max_length: number; full: string },
): string | undefined => {
  const shortened = `${nb_shortened > 1 ? `${nb_shortened} lignes ont été raccourcies` : '1 ligne a été raccourcie'} à ${max_length} caractères.`
  const left_out = `${nb_left_out > 1 ? `${nb_left_out} lignes n’ont pas été collées` : '1 ligne n’a pas été collée'} : ${full}`
  const parts = [...(nb_shortened > 0 ? [shortened] : []), ...(nb_left_out > 0 ? [left_out] : [])]
  return parts.length > 0 ? parts.join(' ') : undefined
}
