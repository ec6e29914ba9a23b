import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { hasOpenDialog } from './open-dialog.ts'

/** Storage key of the choice whether single keys such as `?` are shortcuts: speech input can type them by accident (WCAG 2.1.4). */
const KEY = 'quizaine.single-keys'
const OFF = 'off'
const listeners = new Set<() => void>()

/** Without storage the shortcuts have their default. */
const read = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== OFF
  } catch {
    return true
  }
}

const write = (areOn: boolean): void => {
  if (areOn) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, OFF)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The choice of this browser, and its setter. */
export const useSingleKeysChoice = (): { areOn: boolean; choose: (areOn: boolean) => void } => ({
  areOn: useSyncExternalStore(subscribe, read),
  choose: write,
})

const FIELDS = 'input, textarea, select, [contenteditable]'

/** Whether keys on this element belong to a field or to an open dialog. */
export const isTyping = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(FIELDS) !== null) || hasOpenDialog()

/** Listens to single keys, unless they are switched off, a field has the focus or a dialog is open. */
export const useSingleKeys = (onKey: (event: KeyboardEvent) => unknown): void => {
  const listener = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.repeat || isTyping(event.target) || !read()) return
    onKey(event)
  })
  useEffect(() => {
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
