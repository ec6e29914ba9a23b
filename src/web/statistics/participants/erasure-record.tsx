import { createContext, type ReactNode, useContext, useState } from 'react'
import { type Toast, Toasts } from '#web/ui/feedback/toasts.tsx'
import { formatExactTime } from '#web/ui/moments.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { type Erasure, erasureLines } from './erasure-labels.ts'

const RecordErasure = createContext<(erasure: Erasure) => void>(() => undefined)

/** Returns a function that shows the dated confirmation of an erasure until it is closed. */
export const useRecordErasure = (): ((erasure: Erasure) => void) => useContext(RecordErasure)

/**
 * Renders the confirmation of the last erasure over the screen, so that the list keeps its place. The confirmation
 * outlives the list, which disappears with its last participant.
 */
export const ErasureRecords = ({ children }: { children: ReactNode }) => {
  const [erasure, setErasure] = useState<Erasure>()
  const { isCopied, copy } = useCopy()
  const { alert } = useDialogs()
  const lines = erasure ? erasureLines(erasure) : []
  const copyRecord = async (at: string): Promise<void> => {
    const text = [`Effacement du ${formatExactTime(at)}`, ...lines].join('\n')
    // The text is shown for copying by hand if the clipboard is not allowed.
    if (!(await copy(text))) await alert(text, { title: 'Confirmation d’effacement' })
  }
  const toast = (at: string): Toast => ({
    key: at,
    text: 'Effacement confirmé',
    detail: formatExactTime(at),
    picture: (
      <ul className="flex flex-col gap-1">
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    ),
    action: isCopied ? 'Copié' : 'Copier la confirmation',
    act: () => void copyRecord(at),
    close: () => setErasure(undefined),
  })
  return (
    <RecordErasure value={setErasure}>
      {children}
      <div className="print:hidden">
        <Toasts toasts={erasure ? [toast(erasure.erased_at)] : []} />
      </div>
    </RecordErasure>
  )
}
