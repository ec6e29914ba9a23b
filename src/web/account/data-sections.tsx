import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { isHosted, leaveSession } from '#web/api/auth-client.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { imageUsageQuery } from './account-queries.ts'
import { Outcome, Section } from './section.tsx'

const megabytes = (bytes: number): string =>
  `${(bytes / 1_048_576).toLocaleString('fr-FR', { maximumFractionDigits: 1 })} Mo`

/** Shows how much of the allowed storage the creator's pictures use. */
export const ImagesSection = () => {
  const { data, error } = useQuery(imageUsageQuery())
  return (
    <Section title="Images">
      {error && <p className="text-bad">{errorText(error)}</p>}
      <label className="flex flex-col gap-2">
        <span className="tabular-nums">
          {data ? `${megabytes(data.used)} utilisés sur ${megabytes(data.quota)}` : 'Calcul…'}
        </span>
        <progress
          max={data?.quota ?? 1}
          value={data?.used ?? 0}
          className="h-2 w-full accent-brand"
        />
      </label>
      <p className="text-ink-2">
        Une image qui ne sert plus dans aucun questionnaire est effacée au bout de 30 jours.
      </p>
    </Section>
  )
}

const WORD = 'SUPPRIMER'

/** Deletes the account. The creator must type a word to confirm, because the deletion cannot be undone. */
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
    await lazyClient.account.remove({ body: { confirmation: WORD } })
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

const asJson = (data: unknown): Blob =>
  new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })

/** Downloads all data that is stored about the creator. */
export const DataSection = () => {
  const { run, isBusy, done, failed } = useAction('L’export n’a pas pu être préparé')
  const download = (): Promise<void> =>
    run(async () => {
      saveFile('quizaine-mes-donnees.json', asJson(await lazyClient.account.exportData()))
      return 'Le fichier est dans vos téléchargements.'
    })
  return (
    <Section title="Mes données">
      <p className="text-ink-2">
        Un fichier JSON avec votre compte, vos quiz et sondages, leurs versions publiées et toutes
        leurs réponses.
      </p>
      <Outcome done={done} failed={failed} />
      <Button busy={isBusy} onClick={download} className="self-start">
        {isBusy ? 'Préparation...' : 'Télécharger mes données'}
      </Button>
    </Section>
  )
}
