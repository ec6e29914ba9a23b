import { useEffect, useMemo } from 'react'
import { hasOpenDialog } from '#web/ui/open-dialog.ts'
import type { DraftSession, DraftView } from './draft/draft-session.ts'

export type Undoing = {
  canUndo: boolean
  canRedo: boolean
  undo: () => void
  redo: () => void
}

/** Undo and redo on a screen, as functions and by keyboard shortcuts. */
export const useUndoing = (
  { undo, redo }: Pick<DraftSession, 'undo' | 'redo'>,
  { can_undo: canUndo, can_redo: canRedo }: Pick<DraftView, 'can_undo' | 'can_redo'>,
): Undoing => {
  useUndoKeys({ undo, redo })
  return useMemo(() => ({ canUndo, canRedo, undo, redo }), [canUndo, canRedo, undo, redo])
}

/** Ctrl or ⌘ Z undoes, with Shift or Y redoes; a field that was just typed in keeps the browser's own undo. */
const useUndoKeys = ({ undo, redo }: Pick<Undoing, 'undo' | 'redo'>): void => {
  useEffect(() => {
    let typedIn: EventTarget | null = null
    const onInput = ({ target }: Event): void => {
      typedIn = target
    }
    const onFocus = (): void => {
      typedIn = null
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase()
      const isOurs = (event.ctrlKey || event.metaKey) && !event.altKey && ['z', 'y'].includes(key)
      if (!isOurs || event.target === typedIn || hasOpenDialog()) return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) redo()
      else undo()
    }
    document.addEventListener('input', onInput)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('input', onInput)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [undo, redo])
}
