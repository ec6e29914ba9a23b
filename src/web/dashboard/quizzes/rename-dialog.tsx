import { type FormEvent, useEffect, useId, useState } from 'react'
import { trimText } from '#domain/common/text.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

type Props = {
  title: string
  name: string
  maxLength: number
  onRename: (name: string) => void
  onClose: () => void
}

/** Asks for a new name of a questionnaire or folder; the current name is selected. */
export const RenameDialog = ({ title, name: current, maxLength, onRename, onClose }: Props) => {
  const id = useId()
  const [name, setName] = useState(current)
  const trimmed = trimText(name)

  // Runs after the dialog's own effect, which focuses its first button.
  useEffect(() => {
    const field = document.getElementById(`${id}-name`)
    if (!(field instanceof HTMLInputElement)) return
    // By the standard, selecting the text does not focus the field.
    field.focus()
    field.select()
  }, [id])

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (trimmed === '') return
    onClose()
    if (trimmed !== current) onRename(trimmed)
  }
  return (
    <Dialog
      title={title}
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
          maxLength={maxLength}
          error={trimmed === '' ? 'Le nom est obligatoire' : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}
