import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { showFieldOnceRendered } from '#web/editor/fields/focus.ts'
import type { Step } from '#web/editor/fields/steps.ts'
import { targetPath } from '#web/editor/fields/target-path.ts'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { TOAST_MS, type Toast } from '#web/ui/feedback/toasts.tsx'
import type { RevertedChange } from './describe-rows.ts'

/** Text with a unique key, so that a repeated text is announced again. */
type AnnouncedChange = { text: string; key: string }

/**
 * Shows the change made by an undo or a redo on the step where it is visible. Returns the toasts that
 * announce it.
 */
export const useRevertedChangeToasts = (
  reverted: RevertedChange | null,
  { quiz_id, step }: { quiz_id: string; step: Step },
): Toast[] => {
  const navigate = useNavigate()
  const state: unknown = useLocation().state
  const [announcedChange, setAnnouncedChange] = useState<AnnouncedChange | null>(() =>
    readAnnouncedChange(state),
  )
  const { pathname, search } = useLocation()
  // A toast that exists when the screen opens is not read out, so it is announced here. The state is cleared,
  // so that going back or reloading does not announce it again.
  useEffect(() => {
    const before = readAnnouncedChange(state)
    if (!before) return
    announceToScreenReader(before.text)
    void navigate(pathname + search, { replace: true, state: null })
  }, [state, pathname, search, navigate])

  useEffect(() => {
    if (!reverted) return
    const { text, field_ids } = reverted
    const shownOn = reverted.step ?? step
    const path = targetPath(quiz_id, { step: shownOn, field_ids })
    if (shownOn !== step) {
      void navigate(path, { state: { field_ids, announcement: text } })
      return
    }
    // Opens the tab of the field.
    if (reverted.step === 'settings') void navigate(path, { replace: true })
    setAnnouncedChange({ text, key: `undone ${performance.now()}` })
    return showFieldOnceRendered(field_ids)
  }, [reverted, quiz_id, step, navigate])
  useEffect(() => {
    if (!announcedChange) return
    const timer = setTimeout(() => setAnnouncedChange(null), TOAST_MS)
    return () => clearTimeout(timer)
  }, [announcedChange])
  return announcedChange ? [announcedChange] : []
}

/** Reads the toast text passed by the previous step. */
const readAnnouncedChange = (state: unknown): AnnouncedChange | null =>
  typeof state === 'object' &&
  state !== null &&
  'announcement' in state &&
  typeof state.announcement === 'string'
    ? { text: state.announcement, key: 'undone' }
    : null

/** Toast that offers to undo a change. */
export type UndoToastState = {
  text: string | null
  /** Sets the toast text of the change that was just made. */
  announce: (text: string) => void
  close: () => void
}

/** Returns the toast of the last deletion, shown for some seconds or until `state` changes again. */
export const useUndoToast = (state: unknown): UndoToastState => {
  const pendingText = useRef<string | null>(null)
  const [shown, setShown] = useState<{ text: string; state: unknown } | null>(null)

  // Sets no state for an edit without a toast, because React limits the updates that effects of fast typing add.
  useEffect(() => {
    const text = pendingText.current
    pendingText.current = null
    if (text !== null) setShown({ text, state })
    else if (shown && shown.state !== state) setShown(null)
  }, [state, shown])
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(null), TOAST_MS)
    return () => clearTimeout(timer)
  }, [shown])

  return {
    text: shown?.text ?? null,
    announce: (text) => {
      pendingText.current = text
    },
    close: () => setShown(null),
  }
}

/** Returns a toast with a button that undoes the last deletion. */
export const undoToast = ({ text, close }: UndoToastState, undo: () => void): Toast[] =>
  text === null
    ? []
    : [
        {
          key: text,
          text,
          action: 'Annuler',
          act: () => {
            undo()
            close()
          },
        },
      ]
