import { Plus } from 'lucide-react'
import type { FormEvent, RefObject } from 'react'
import { fitItems } from '#domain/common/pasted-lines.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { ADD_RESULT_ID } from '#web/editor/fields/field-ids.ts'
import { pasteList, pasteLossMessage } from '#web/editor/fields/list-editing.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import type { ResultCreation } from './use-results.ts'

const FULL = `Un questionnaire a ${LIMITS.results} résultats au plus.`

/**
 * Shows the field that adds a result by Enter or by its button. The field keeps the focus for the next result
 * (product 7.9).
 */
export const AddResult = ({
  field,
  max_items,
  adding: { name, setName, submit: add, addAll },
}: {
  field: RefObject<HTMLInputElement | null>
  /** Number of results that can still be added. */
  max_items: number
  adding: ResultCreation
}) => {
  const { alert } = useDialogs()
  const isFull = max_items <= 0

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add()
    field.current?.focus()
  }

  const paste = (lines: string[]): void => {
    const fitted = fitItems(lines, { max_items, max_length: LIMITS.result_name })
    addAll(fitted.items)
    const loss = pasteLossMessage(fitted, { max_length: LIMITS.result_name, full: FULL })
    if (loss) void alert(loss)
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3 sm:flex-row sm:items-end">
      <div className="flex-1">
        <TextField
          ref={field}
          id={ADD_RESULT_ID}
          label="Nouveau résultat"
          placeholder="Nom du résultat"
          value={name}
          maxLength={LIMITS.result_name}
          autoComplete="off"
          disabled={isFull}
          hint={isFull ? FULL : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
          onPaste={(event) => pasteList(event, paste)}
        />
      </div>
      <Button type="submit" variant="primary" icon={<Plus aria-hidden="true" />} disabled={isFull}>
        Ajouter un résultat
      </Button>
    </form>
  )
}
