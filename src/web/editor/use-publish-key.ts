import { useEffect, useEffectEvent } from 'react'
import { hasOpenDialog } from '#web/ui/open-dialog.ts'

/** Ctrl or ⌘ with Enter asks to publish, or shows what stands in the way. */
export const usePublishKey = (onPublish: () => void): void => {
  const hear = useEffectEvent((event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter' || hasOpenDialog()) return
    event.preventDefault()
    onPublish()
  })
  useEffect(() => {
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}
