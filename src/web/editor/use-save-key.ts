import { useEffect, useRef } from 'react'

/** Ctrl or ⌘ with S stores what is pending now; a failure shows in the header as any other. */
export const useSaveKey = (flush: () => Promise<unknown>): void => {
  const latest = useRef(flush)
  useEffect(() => {
    latest.current = flush
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      latest.current().catch((error: unknown) => console.warn('Saving now failed', error))
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
