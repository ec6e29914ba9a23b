import { Plus } from 'lucide-react'
import type { FormEvent, RefObject } from 'react'
import { cutText } from '#domain/cut-text.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { pastedLines } from '#web/editor/pasted-lines.ts'
import { ADD_RESULT_ID } from '#web/editor/publish-targets.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { Adding } from './use-results.ts'

/** The field that adds a result, also by Enter; it keeps the focus for the next one (spec §2). */
export const AddResult = ({
  field,
  room,
  adding: { name, setName, submit: add, addAll },
}: {
  field: RefObject<HTMLInputElement | null>
  /** How many results can still be added. */
  room: number
  adding: Adding
}) => {
  const isFull = room <= 0

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add()
    field.current?.focus()
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
          hint={isFull ? `Un quiz a ${LIMITS.results} résultats au plus.` : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
          onPaste={(event) => {
            const lines = pastedLines(event.clipboardData.getData('text'))
            if (!lines) return
            event.preventDefault()
            addAll(lines.slice(0, room).map((line) => cutText(line, LIMITS.result_name)))
          }}
        />
      </div>
      <Button type="submit" variant="primary" icon={<Plus aria-hidden="true" />} disabled={isFull}>
        Ajouter un résultat
      </Button>
    </form>
  )
}
