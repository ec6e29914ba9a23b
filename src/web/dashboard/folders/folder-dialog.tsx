import { type FormEvent, useId, useState } from 'react'
import { trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Folder, Quiz } from '#domain/questionnaire/quiz.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import type { useFolderChanges } from './use-folders.ts'

const NONE = 'none'
const NEW = 'new'

type Props = {
  quiz: Pick<Quiz, 'id' | 'name' | 'folder_id'>
  folders: readonly Folder[]
  changes: ReturnType<typeof useFolderChanges>
  onClose: () => void
}

/** Asks for the folder of a questionnaire: one of the folders, none, or a new one. */
export const FolderDialog = ({ quiz, folders, changes, onClose }: Props) => {
  const id = useId()
  const [chosen, setChosen] = useState(quiz.folder_id ?? (folders.length > 0 ? NONE : NEW))
  const [name, setName] = useState('')
  const trimmed = trimText(name)
  const choices = [
    ...folders.map((folder) => ({ value: folder.id, label: folder.name })),
    { value: NONE, label: 'Sans dossier' },
    { value: NEW, label: 'Nouveau dossier' },
  ]

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (chosen === NEW && trimmed === '') return
    onClose()
    if (chosen === NEW) {
      const same = folders.find((folder) => folder.name.toLowerCase() === trimmed.toLowerCase())
      void (same ? changes.put(quiz, same) : changes.createFor(quiz, trimmed))
    } else if (chosen !== (quiz.folder_id ?? NONE))
      void changes.put(quiz, folders.find((folder) => folder.id === chosen) ?? null)
  }
  return (
    <Dialog
      title={`Ranger « ${quiz.name} »`}
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Annuler</Button>
          <Button
            type="submit"
            form={`${id}-form`}
            variant="primary"
            disabled={chosen === NEW && trimmed === ''}
          >
            Ranger
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} onSubmit={submit} className="flex flex-col gap-3">
        <HelpLink about="dossiers" page="modeles-et-dossiers#ranger-dans-des-dossiers" />
        <fieldset className="flex flex-col">
          <legend className="mb-1 text-ink-2">Dossier</legend>
          {choices.map(({ value, label }) => (
            <label
              key={value}
              className="flex min-h-9 items-center gap-2.5 pointer-coarse:min-h-11"
            >
              <input
                type="radio"
                name={`${id}-folder`}
                checked={chosen === value}
                onChange={() => setChosen(value)}
              />
              <span className="wrap-anywhere">{label}</span>
            </label>
          ))}
        </fieldset>
        {chosen === NEW && (
          <TextField
            label="Nom du dossier"
            value={name}
            required
            autoComplete="off"
            maxLength={LIMITS.folder_name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
      </form>
    </Dialog>
  )
}
