import { type ChangeEvent, type KeyboardEvent, useRef, useState } from 'react'

/** Milliseconds between a key and the change of a closed list that the key causes. */
const KEY_CHANGE_MS = 100

/**
 * Returns the attributes of a select whose choice has an effect at once. Options that arrows and letters pass on the closed
 * list are only shown; Enter or leaving the list chooses the shown option.
 */
export const useBrowsedChoice = (value: string, onChoose: (value: string) => void) => {
  const [browsed, setBrowsed] = useState<string | null>(null)
  const pressed_at = useRef(Number.NEGATIVE_INFINITY)
  const choose = (chosen: string | null): void => {
    setBrowsed(null)
    if (chosen !== null && chosen !== value) onChoose(chosen)
  }
  return {
    isBrowsing: browsed !== null,
    attributes: {
      value: browsed ?? value,
      onKeyDown: (event: KeyboardEvent): void => {
        pressed_at.current = event.key === 'Enter' ? Number.NEGATIVE_INFINITY : performance.now()
        if (event.key !== 'Enter' || browsed === null) return
        event.preventDefault()
        choose(browsed)
      },
      onChange: ({ currentTarget }: ChangeEvent<HTMLSelectElement>): void => {
        const isPassing = performance.now() - pressed_at.current < KEY_CHANGE_MS
        if (isPassing) setBrowsed(currentTarget.value)
        else choose(currentTarget.value)
      },
      onBlur: () => {
        // A key that leaves the list causes no change of it.
        pressed_at.current = Number.NEGATIVE_INFINITY
        choose(browsed)
      },
    },
  }
}
