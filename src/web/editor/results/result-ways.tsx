import { useState } from 'react'
import type { Result } from '#domain/quiz.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { AddressField } from '#web/editor/address-field.tsx'
import { resultFieldId } from '#web/editor/publish-targets.ts'
import { TextField } from '#web/ui/text-field.tsx'
import type { ResultsAction } from './results-reducer.ts'

/** Where a result leads: its button and its redirection, one line until one is written. */
export const ResultWays = ({
  result,
  name,
  change,
}: {
  result: Result
  /** What the result is called. */
  name: string
  change: (action: ResultsAction) => void
}) => {
  const { id, button_text, button_url, redirect_url } = result
  const [isOpen, setOpen] = useState(false)
  const isWritten = !!(button_text ?? button_url ?? redirect_url)
  return (
    <details
      open={isOpen || isWritten}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-lg"
    >
      <summary className="min-h-8 cursor-pointer text-sm text-ink-2 pointer-coarse:min-h-11">
        Bouton et redirection<span className="sr-only"> – {name}</span>
      </summary>
      <div className="flex flex-col gap-2 pt-2">
        <TextField
          id={resultFieldId(id, 'button_text')}
          label="Texte du bouton"
          value={button_text ?? ''}
          maxLength={LIMITS.button_text}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) =>
            change({ type: 'led', id, button_text: value || null })
          }
        />
        <AddressField
          id={resultFieldId(id, 'button_url')}
          label="Adresse du bouton"
          address={button_url}
          onChange={(address) => change({ type: 'led', id, button_url: address })}
        />
        <AddressField
          id={resultFieldId(id, 'redirect_url')}
          label="Redirection"
          hint="Les participants y sont conduits une fois leurs réponses enregistrées."
          address={redirect_url}
          onChange={(address) => change({ type: 'led', id, redirect_url: address })}
        />
      </div>
    </details>
  )
}
