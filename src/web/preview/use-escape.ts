import { useEffect } from 'react'

/** Calls `close` on Escape, unless a dialog is open: the key is that dialog's then. */
export const useEscape = (close: () => void): void => {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (!document.querySelector('dialog[open]')) close()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [close])
}
