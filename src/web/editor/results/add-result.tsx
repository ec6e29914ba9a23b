import { Plus } from 'lucide-react'
import { type FormEvent, type RefObject, useState } from 'react'
import { LIMITS } from '#domain/vocabulary.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

/** The field that adds a result; Enter adds too, and it keeps the focus for the next one (spec §2). */
export const AddResult = ({
  field,
  isFull,
  onAdd,
}: {
  field: RefObject<HTMLInputElement | null>
  isFull: boolean
  onAdd: (name: string) => boolean
}) => {
  const [name, setName] = useState('')

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (onAdd(name)) setName('')
    field.current?.focus()
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3 sm:flex-row sm:items-end">
      <div className="flex-1">
        <TextField
          ref={field}
          label="Nouveau résultat"
          placeholder="Nom du résultat"
          value={name}
          maxLength={LIMITS.result_name}
          autoComplete="off"
          disabled={isFull}
          hint={isFull ? `Un quiz a ${LIMITS.results} résultats au plus.` : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" variant="primary" icon={<Plus aria-hidden="true" />} disabled={isFull}>
        Ajouter un résultat
      </Button>
    </form>
  )
}
