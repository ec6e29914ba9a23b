import { type ReactNode, useState } from 'react'
import type { SentTo } from '#contract/participants.ts'
import type { ErasureChoices } from '#domain/erasure.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { ErasureDialog } from './erasure-dialog.tsx'

type Asked = { message: string; sentTo: SentTo; answer: (choices: ErasureChoices | null) => void }

/**
 * How to ask whether a person is deleted, and at which tools as well; null when they are not. The dialog is to be
 * rendered.
 */
export const useErasure = (): {
  ask: (message: string, sentTo: SentTo) => Promise<ErasureChoices | null>
  dialog: ReactNode
} => {
  const dialogs = useDialogs()
  const [asked, setAsked] = useState<Asked | null>(null)
  return {
    ask: async (message, sentTo) => {
      if (sentTo.tools.length > 0 || sentTo.nb_webhooks > 0)
        return new Promise((answer) => setAsked({ message, sentTo, answer }))
      const options = { confirm_label: 'Supprimer', danger: true }
      return (await dialogs.confirm(message, options)) ? {} : null
    },
    dialog: asked && (
      <ErasureDialog
        message={asked.message}
        sentTo={asked.sentTo}
        onAnswer={(choices) => {
          setAsked(null)
          asked.answer(choices)
        }}
      />
    ),
  }
}
