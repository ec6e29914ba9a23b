import { type FormEvent, useEffect, useId, useState } from 'react'
import { trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

type Props = {
  quiz: Pick<Quiz, 'name'>
  onRename: (name: string) => void
  onClose: () => void
}

/** Asks for a new name of a questionnaire; the current name is selected. */
export const RenameDialog = ({ quiz, onRename, onClose }: Props) => {
  const id = useId()
  const [name, setName] = useState(quiz.name)
  const trimmed = trimText(name)

  // Runs after the dialog's own effect, which focuses its first button.
  useEffect(() => {
    const field = document.getElementById(`${id}-name`)
    if (field instanceof HTMLInputElement) field.select()
  }, [id])

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (trimmed === '') return
    onClose()
    if (trimmed !== quiz.name) onRename(trimmed)
  }
  return (
    <Dialog
      title="Renommer le questionnaire"
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Annuler</Button>
          <Button type="submit" form={`${id}-form`} variant="primary" disabled={trimmed === ''}>
            Renommer
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} onSubmit={submit}>
        <TextField
          id={`${id}-name`}
          label="Nom"
          value={name}
          required
          autoComplete="off"
          maxLength={LIMITS.quiz_name}
          error={trimmed === '' ? 'Le nom est obligatoire' : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}
