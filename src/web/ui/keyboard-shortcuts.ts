import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/**
 * Runs an action on Ctrl or ⌘ with a key; if the action returns false, the browser's own shortcut runs. Listens
 * before the fields, because they would treat Ctrl and Enter as Enter.
 */
export const useCommandKey = (key: string, action: () => unknown): void => {
  const listener = useEffectEvent((event: KeyboardEvent): void => {
    const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === key
    if (!isCommand || event.altKey || event.shiftKey || action() === false) return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    document.addEventListener('keydown', listener, { capture: true })
    return () => document.removeEventListener('keydown', listener, { capture: true })
  }, [])
}

const dialogs = document.getElementsByTagName('dialog')

/** Returns true if a dialog is open. Reads a live collection, which is fast on long pages. */
export const isDialogOpen = (): boolean => Array.from(dialogs).some(({ open }) => open)

/**
 * Storage key of the setting that switches single-key shortcuts such as `?` off, because speech input can type them
 * by accident (WCAG 2.1.4).
 */
const KEY = 'quizaine.single-keys'
const OFF = 'off'
const listeners = new Set<() => void>()

/** Returns true if the shortcuts are on, also if the storage is not allowed. */
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

/** Returns the setting of this browser, and its setter. */
export const useSingleKeysChoice = (): { areOn: boolean; choose: (areOn: boolean) => void } => ({
  areOn: useSyncExternalStore(subscribe, read),
  choose: write,
})

const FIELDS = 'input, textarea, select, [contenteditable]'

/** Returns true if keys on this element belong to a field or to an open dialog. */
export const isTyping = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(FIELDS) !== null) || isDialogOpen()

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
