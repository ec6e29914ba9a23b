import { useEffect, useEffectEvent } from 'react'

/**
 * A shortcut of Ctrl or ⌘ and a key; when `action` returns false the browser's own shortcut runs. It is heard before
 * the fields, for which Ctrl and Enter would be an Enter.
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
