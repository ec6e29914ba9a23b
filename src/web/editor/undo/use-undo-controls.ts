import { useEffect, useMemo, useState } from 'react'
import type { DraftSession, DraftView } from '#web/editor/draft/draft-session.ts'
import { isDialogOpen } from '#web/ui/keyboard-shortcuts.ts'
import type { RevertedChange } from './describe-rows.ts'

/** Loads the descriptions of changes; preloaded after the first edit, because most visits undo nothing. */
const loadUndoLabels = () => import('./undo-labels.ts')

/** Undo and redo of a screen. */
export type UndoControls = {
  canUndo: boolean
  canRedo: boolean
  undo: () => void
  redo: () => void
  /** Change made by the last undo or redo; a new object each time. */
  reverted: RevertedChange | null
}

/** Returns the undo and redo functions of a screen, and handles their keyboard shortcuts. */
export const useUndoControls = (
  session: Pick<DraftSession, 'undo' | 'redo' | 'view'>,
  { can_undo: canUndo, can_redo: canRedo }: Pick<DraftView, 'can_undo' | 'can_redo'>,
): UndoControls => {
  const [reverted, setReverted] = useState<RevertedChange | null>(null)
  const { undo, redo } = useMemo(() => {
    const announcing = (move: () => void) => (): void => {
      const before = session.view().draft
      move()
      const after = session.view().draft
      loadUndoLabels().then(
        ({ describeRevertedChange }) => {
          const change = describeRevertedChange(before, after)
          setReverted(change && { ...change })
        },
        (error: unknown) => console.warn('The undone change could not be described', error),
      )
    }
    return { undo: announcing(session.undo), redo: announcing(session.redo) }
  }, [session])
  useEffect(() => {
    // Failures are ignored here, because the first undo tries again.
    if (canUndo) loadUndoLabels().catch(() => undefined)
  }, [canUndo])
  useEffect(() => listenToUndoKeys({ undo, redo }), [undo, redo])
  return useMemo(
    () => ({ canUndo, canRedo, undo, redo, reverted }),
    [canUndo, canRedo, undo, redo, reverted],
  )
}

/**
 * Handles Ctrl+Z or ⌘Z for undo, and Shift or Y for redo. A field that was just typed in keeps the browser's
 * own undo. Returns a function that ends the handling.
 */
export const listenToUndoKeys = ({
  undo,
  redo,
}: Pick<UndoControls, 'undo' | 'redo'>): (() => void) => {
  let typedIn: EventTarget | null = null
  const onInput = ({ target, isTrusted }: Event): void => {
    // The browser cannot undo a text that the app has written.
    if (isTrusted) typedIn = target
  }
  const onFocus = (): void => {
    typedIn = null
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = event.key.toLowerCase()
    const isOurs = (event.ctrlKey || event.metaKey) && !event.altKey && ['z', 'y'].includes(key)
    if (!isOurs || event.target === typedIn || isDialogOpen()) return
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
}
