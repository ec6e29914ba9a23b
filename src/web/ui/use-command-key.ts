import { useEffect, useEffectEvent } from 'react'

/** A shortcut of Ctrl or ⌘ and a key; when `action` returns false the browser's own shortcut runs. */
export const useCommandKey = (key: string, action: () => unknown): void => {
  const listener = useEffectEvent((event: KeyboardEvent): void => {
    const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === key
    if (isCommand && !event.altKey && !event.shiftKey && action() !== false) event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
