import { useEffect, useRef } from 'react'

type ItemKeys = {
  /** Alt and an arrow: one step up (-1) or down (1). */
  onStep: (id: string, step: -1 | 1) => void
  /** Ctrl or ⌘ D. */
  onCopy?: (id: string) => void
}

/** Shortcuts on the item with the focus: the closest element with a `data-item` id. */
export const useItemKeys = (keys: ItemKeys): void => {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const item = (event.target as Element).closest<HTMLElement>('[data-item]')
      const id = item?.dataset.item
      if (!id) return
      const { onStep, onCopy } = latest.current
      const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown'
      if (event.altKey && isArrow) onStep(id, event.key === 'ArrowUp' ? -1 : 1)
      else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd' && onCopy)
        onCopy(id)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
