import { useEffect } from 'react'
import { hasOpenDialog } from '#web/ui/open-dialog.ts'

/** Calls `close` on Escape, unless a dialog is open, which the key closes. */
export const useEscape = (close: () => void): void => {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (!hasOpenDialog()) close()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [close])
}
