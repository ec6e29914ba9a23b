import { useSyncExternalStore } from 'react'

let said = ''
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const change = (text: string): void => {
  said = text
  for (const listener of listeners) listener()
}

/** Tells a screen reader what a gesture did where the eye sees it and no words on screen say it. */
export const say = (text: string): void => {
  // The same text again would be no change of the region, which would stay silent.
  change(text === said ? `${text}\u00a0` : text)
}

/** Empties the live region. */
export const clearAnnouncement = (): void => change('')

/** The live region of `say`, once on every signed-in screen. */
export const Announcer = () => (
  <p role="status" className="sr-only">
    {useSyncExternalStore(subscribe, () => said)}
  </p>
)
