import { useEffect, useRef, useState } from 'react'
import { TOAST_MS } from '#web/ui/toasts.tsx'

type Notice = { key: string; text: string }

/** Short messages, each shown for a few seconds. */
export const useNotices = (): { notices: readonly Notice[]; say: (text: string) => void } => {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const timers = useRef(new Set<number>())
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running) window.clearTimeout(timer)
    }
  }, [])

  const say = (text: string): void => {
    const notice = { key: `notice ${performance.now()}`, text }
    setNotices((shown) => [...shown, notice])
    const timer = window.setTimeout(() => {
      timers.current.delete(timer)
      setNotices((shown) => shown.filter((one) => one !== notice))
    }, TOAST_MS)
    timers.current.add(timer)
  }
  return { notices, say }
}
