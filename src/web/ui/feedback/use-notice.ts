import { useEffect, useState } from 'react'
import { TOAST_MS, type Toast } from './toasts.tsx'

/** Returns a function that shows a sentence as a toast for some seconds, and the toasts to render. */
export const useNotice = (): { announce: (text: string) => void; toasts: Toast[] } => {
  const [shown, setShown] = useState<Toast | null>(null)
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(null), TOAST_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return {
    announce: (text) => setShown({ text, key: `notice ${performance.now()}` }),
    toasts: shown ? [shown] : [],
  }
}
