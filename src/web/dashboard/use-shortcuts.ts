import { useEffect, useEffectEvent } from 'react'
import { shortcutOf } from './quiz-search.ts'

/** The keys of the dashboard: / searches, N creates, unless something is being typed or a dialog is open. */
export const useShortcuts = (actions: { search: () => void; create: () => void }): void => {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const shortcut = shortcutOf(event)
    if (!shortcut || event.defaultPrevented || event.repeat || isTaken(event.target)) return
    // The key itself is not to be typed where it leads to.
    event.preventDefault()
    actions[shortcut]()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

const FIELDS = 'input, textarea, select, [contenteditable]'

const isTaken = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element && target.closest(FIELDS) !== null)
