import { useCallback, useLayoutEffect, useRef } from 'react'

/** Gives the focus to the element of this id once what was just asked for is on screen. */
export const useFocusAfter = (): ((id: string) => void) => {
  const wanted = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null) return
    const element = document.getElementById(wanted.current)
    if (!element) return
    wanted.current = null
    element.focus()
  })
  return useCallback((id) => {
    wanted.current = id
    // What is there already takes it at once.
    const element = document.getElementById(id)
    if (!element) return
    wanted.current = null
    element.focus()
  }, [])
}
