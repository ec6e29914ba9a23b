import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { ExactText } from '#web/french/exact-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from './dialog.tsx'

type Question = {
  kind: 'alert' | 'confirm'
  message: string
  title: string
  confirm_label: string
  danger: boolean
  answer: (isConfirmed: boolean) => void
}

type Dialogs = {
  /** Shows a message; the promise is fulfilled when the message is closed. */
  alert: (message: string, options?: { title?: string }) => Promise<void>
  /** Asks for a confirmation, and returns true if it is given. */
  confirm: (
    message: string,
    options?: { confirm_label?: string; danger?: boolean },
  ) => Promise<boolean>
}

const DialogsContext = createContext<Dialogs | null>(null)

/** Returns the functions that show alerts and confirmations as dialogs of the page. */
export const useDialogs = (): Dialogs => {
  const dialogs = useContext(DialogsContext)
  if (!dialogs) throw new Error('DialogsProvider is missing')
  return dialogs
}

/** Shows the dialogs of `useDialogs`, one after another. */
export const DialogsProvider = ({ children }: { children: ReactNode }) => {
  const [questions, setQuestions] = useState<Question[]>([])
  const dialogs = useMemo<Dialogs>(() => {
    const ask = (question: Omit<Question, 'answer'>): Promise<boolean> =>
      new Promise((answer) => setQuestions((waiting) => [...waiting, { ...question, answer }]))
    return {
      alert: async (message, { title = 'Information' } = {}) => {
        await ask({ kind: 'alert', message, title, confirm_label: 'OK', danger: false })
      },
      confirm: (message, { confirm_label = 'Confirmer', danger = false } = {}) =>
        ask({ kind: 'confirm', message, title: 'Confirmation', confirm_label, danger }),
    }
  }, [])

  const [current] = questions
  const settle = (isConfirmed: boolean): void => {
    // The dialog is removed first: the caller may move the focus, which an open dialog would trap.
    flushSync(() => setQuestions((waiting) => waiting.filter((question) => question !== current)))
    current?.answer(isConfirmed)
  }

  return (
    <DialogsContext value={dialogs}>
      {children}
      {current && (
        <Dialog
          key={`${current.kind} ${current.message}`}
          role="alertdialog"
          title={current.title}
          open
          onClose={() => settle(false)}
          footer={
            <>
              {current.kind === 'confirm' && <Button onClick={() => settle(false)}>Annuler</Button>}
              <Button variant={current.danger ? 'danger' : 'primary'} onClick={() => settle(true)}>
                {current.confirm_label}
              </Button>
            </>
          }
        >
          {/* The browser keeps the last words together, because some messages must keep their plain spaces. */}
          <p className="text-pretty">
            <ExactText>{current.message}</ExactText>
          </p>
        </Dialog>
      )}
    </DialogsContext>
  )
}
