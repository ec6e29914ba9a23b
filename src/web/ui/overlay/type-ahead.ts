import { type KeyboardEvent, useRef } from 'react'
import { comparableText } from '#domain/common/comparable-text.ts'
import { filterAfterKey } from './menu-filter.ts'

/**
 * Returns the index of the label that begins with the typed letters, searched from the current index on; undefined if no
 * label does. A single letter, also repeated, goes on to the next label. Ignores case and accents.
 */
export const findByFirstLetters = (
  labels: readonly string[],
  typed: string,
  current: number,
): number | undefined => {
  const letters = comparableText(typed)
  const [first = ''] = letters
  const find = (sought: string, start: number): number | undefined =>
    labels
      .map((_, step) => (start + step) % labels.length)
      .find((index) => comparableText(labels[index] ?? '').startsWith(sought))
  if (first === '') return undefined
  const found = letters === first ? undefined : find(letters, Math.max(0, current))
  return found ?? (new Set(letters).size === 1 ? find(first, current + 1) : undefined)
}

/** Milliseconds after which a typed letter begins a new search. */
const TYPE_AHEAD_MS = 750

/** Returns a handler of keys that focuses the entry beginning with the typed letters. Base UI would compare accents. */
export const useTypeAhead = () => {
  const typed = useRef<{ text: string; at: number; entry: EventTarget | null }>({
    text: '',
    at: 0,
    entry: null,
  })
  return (event: KeyboardEvent<HTMLElement>): void => {
    const { currentTarget, target, timeStamp } = event
    // The keys of a submenu also reach the menu around it.
    if (!currentTarget.contains(target as Node)) return
    const { text, at, entry } = typed.current
    // Moving to another entry ends a search, too.
    const isContinued = timeStamp - at < TYPE_AHEAD_MS && entry === target
    const letters = filterAfterKey(isContinued ? text : '', event)
    if (letters === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const entries = [
      ...currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]:not([aria-disabled=true])'),
    ]
    const labels = entries.map(({ textContent }) => textContent)
    const index = findByFirstLetters(labels, letters, entries.indexOf(target as HTMLElement))
    const found = index === undefined ? undefined : entries[index]
    typed.current = { text: letters, at: timeStamp, entry: found ?? target }
    found?.focus()
  }
}
