import { useEffect, useEffectEvent } from 'react'

/** Ctrl or ⌘ with a key, in place of what the browser would do; `action` gives false to leave it to the browser. */
export const useCommandKey = (key: string, action: () => unknown): void => {
  const hear = useEffectEvent((event: KeyboardEvent): void => {
    const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === key
    if (isCommand && !event.altKey && !event.shiftKey && action() !== false) event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}
