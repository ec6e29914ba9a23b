import { useCallback, useSyncExternalStore } from 'react'

/** Returns true while a media query matches. */
export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** Media query for screens with room for a column on the right: Tailwind's `xl`. */
export const WIDE = '(min-width: 80rem)'
