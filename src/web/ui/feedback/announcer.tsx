import { useSyncExternalStore } from 'react'

/** Text of the live region. */
let announcement = ''
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const change = (text: string): void => {
  announcement = text
  for (const listener of listeners) listener()
}

/** Announces the effect of an action to screen readers, when no visible text says it. */
export const announceToScreenReader = (text: string): void => {
  // A region with unchanged text stays silent, so an equal text gets an invisible space.
  change(text === announcement ? `${text}\u00a0` : text)
}

/** Empties the live region. */
export const clearAnnouncement = (): void => change('')

/** Renders the live region of `announceToScreenReader`, once on every signed-in screen. */
export const Announcer = () => (
  <p role="status" className="sr-only">
    {useSyncExternalStore(subscribe, () => announcement)}
  </p>
)
