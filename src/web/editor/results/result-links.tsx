import { CopyCheck } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { RESULT_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import type { Result } from '#domain/questionnaire/quiz.ts'
import { AddressField } from '#web/editor/fields/address-field.tsx'
import { resultFieldId } from '#web/editor/fields/field-ids.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import type { LinkField } from './results-reducer.ts'
import { filledLinks, type ResultsAction } from './results-reducer.ts'

/** Edits the button and the redirection of a result. The closed part shows them in its line. */
export const ResultLinks = ({
  result,
  name,
  hasOthers,
  isCopied,
  change,
  onCopyLinks,
}: {
  result: Result
  /** Name of the result. */
  name: string
  /** True if the quiz has other results. */
  hasOthers: boolean
  /** True if all results already have these links. */
  isCopied: boolean
  change: (action: ResultsAction) => void
  onCopyLinks: () => void
}) => {
  const { id, button_text, button_url, redirect_url } = result
  const [isOpen, setOpen] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const note_id = useId()
  const written = filledLinks(result)
  const copyLinks = (): void => {
    const refused = fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (refused) refused.focus()
    else if (!isCopied) onCopyLinks()
  }
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-lg"
    >
      <summary className="min-h-8 cursor-pointer text-sm wrap-anywhere text-ink-2 pointer-coarse:min-h-11">
        Bouton et redirection<span className="sr-only"> – {name}</span>
        {!isOpen && written.length > 0 && ` : ${summaryOf(result)}`}
      </summary>
      <div ref={fields} className="flex flex-col gap-2 pt-2">
        <TextField
          id={resultFieldId(id, 'button_text')}
          label="Texte du bouton"
          value={button_text ?? ''}
          maxLength={LIMITS.button_text}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) =>
            change({ type: 'changed', id, fields: { button_text: value || null } })
          }
        />
        <AddressField
          id={resultFieldId(id, 'button_url')}
          label="Adresse du bouton"
          address={button_url}
          onChange={(address) => change({ type: 'changed', id, fields: { button_url: address } })}
        />
        <AddressField
          id={resultFieldId(id, 'redirect_url')}
          label="Redirection"
          hint="Les participants y sont conduits une fois leurs réponses enregistrées."
          address={redirect_url}
          onChange={(address) => change({ type: 'changed', id, fields: { redirect_url: address } })}
        />
        {hasOthers && written.length > 0 && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button
              icon={<CopyCheck aria-hidden="true" />}
              aria-disabled={isCopied || undefined}
              aria-describedby={note_id}
              className="aria-disabled:cursor-not-allowed aria-disabled:text-ink-3"
              onClick={copyLinks}
            >
              Appliquer à tous les résultats
            </Button>
            <p id={note_id} className="text-xs text-ink-2">
              {isCopied
                ? 'Tous les résultats les ont déjà.'
                : `Sera copié : ${listFormat.format(written.map(labelOf))}.`}
            </p>
          </div>
        )}
      </div>
    </details>
  )
}

const listFormat = new Intl.ListFormat('fr-FR', { type: 'conjunction' })

const labelOf = (field: LinkField): string =>
  field === 'button_text' ? 'texte du bouton' : RESULT_FIELDS[field].label.toLowerCase()

/** Returns the message after the links of a result were copied to all results. */
export const copiedLinksMessage = (result: Result, count: number): string =>
  `Appliqué aux ${count} résultats\u00a0: ${listFormat.format(filledLinks(result).map(labelOf))}`

/** Returns the text of the button and the sites that the links lead to. */
const summaryOf = ({ button_text, button_url, redirect_url }: Result): string =>
  [
    button_text,
    ...[button_url, redirect_url].map(
      (address) => address && `→ ${address.replace('https://', '')}`,
    ),
  ]
    .filter(Boolean)
    .join(' ')
