import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { isHosted, leaveSession } from '#web/api/auth-client.ts'
import { laterClient } from '#web/later-api/later-client.ts'
import { useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Outcome, Section } from './section.tsx'

const WORD = 'SUPPRIMER'

/** Deletes the account; a word must be typed to confirm, since this cannot be undone. */
export const DeletionSection = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title="Supprimer mon compte">
      <p className="text-ink-2">
        {isHosted
          ? 'Vos quiz et sondages, leurs pages publiques et toutes leurs réponses sont effacés aussitôt. Votre compte de connexion reste chez le service qui le garde.'
          : 'Votre compte, vos quiz et sondages, leurs pages publiques et toutes leurs réponses sont effacés aussitôt. Rien ne peut être récupéré.'}
      </p>
      <Button variant="danger" onClick={() => setOpen(true)} className="self-start">
        Supprimer mon compte...
      </Button>
      <Dialog title="Supprimer mon compte ?" open={isOpen} onClose={() => setOpen(false)}>
        <Deletion onCancel={() => setOpen(false)} />
      </Dialog>
    </Section>
  )
}

const Deletion = ({ onCancel }: { onCancel: () => void }) => {
  const [word, setWord] = useState('')
  const [error, setError] = useState<string>()
  const { run, isBusy, failed } = useAction('Le compte n’a pas pu être supprimé')
  const queryClient = useQueryClient()
  const navigate = useNavigate()

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (word.trim() === WORD) run(remove)
    else setError(`Saisissez ${WORD}, en majuscules`)
  }
  const remove = async (): Promise<undefined> => {
    await laterClient.account.remove({ body: { confirmation: WORD } })
    await leaveSession('local')
    queryClient.clear()
    navigate('/login')
    return undefined
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p>
        Cette action est immédiate et définitive. Téléchargez d’abord vos données si vous voulez les
        garder.
      </p>
      <TextField
        label={`Pour confirmer, saisissez ${WORD}`}
        value={word}
        {...(error && { error })}
        autoComplete="off"
        autoCapitalize="characters"
        onChange={(event) => {
          setWord(event.currentTarget.value)
          setError(undefined)
        }}
      />
      <Outcome failed={failed} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Annuler</Button>
        <Button type="submit" variant="danger" busy={isBusy}>
          Supprimer définitivement
        </Button>
      </div>
    </form>
  )
}
