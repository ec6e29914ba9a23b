import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { LIMITS } from '#domain/vocabulary.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { focusFirstError } from '#web/session/credentials-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useErasure } from './use-erasure.tsx'

/** Exports or deletes all data of one person, in all of the creator's quizzes. */
export const PersonForm = () => {
  const [email, setEmail] = useState('')
  const [note, setNote] = useState('')
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { ask, dialog } = useErasure()
  const queries = useQueryClient()
  const person = email.trim()
  const form = useRef<HTMLElement>(null)
  const refuse = (sentence: string): void => {
    flushSync(() => setError(sentence))
    if (form.current) focusFirstError(form.current)
  }

  const attempt = async (work: () => Promise<string>): Promise<void> => {
    setNote('')
    setError('')
    if (!person) return refuse('Indiquez l’adresse de la personne.')
    setBusy(true)
    try {
      setNote(await work())
    } catch (failure) {
      refuse(errorText(failure))
    }
    setBusy(false)
  }

  const give = async (): Promise<string> => {
    const found = await client.participants.ofPerson({ body: { email: person } })
    if (found.responses.length === 0) return NO_PARTICIPATION
    saveAs(`donnees-${person.replaceAll(/[^\w.@-]/g, '_')}.json`, JSON.stringify(found, null, 2))
    return `${say(found.responses.length)} dans le fichier.`
  }

  const remove = async (): Promise<string> => {
    const { responses, sent_to } = await client.participants.ofPerson({ body: { email: person } })
    if (responses.length === 0) return NO_PARTICIPATION
    const choices = await ask(
      `Supprimer ${say(responses.length)} de ${person}, dans tous vos quiz et sondages ? Cette action est définitive.`,
      sent_to,
    )
    if (!choices) return ''
    const body = { email: person, ...choices }
    const { nb_deleted } = await client.participants.removePerson({ body })
    await queries.invalidateQueries({ queryKey: ['quizzes'] })
    const told = Object.keys(choices).length > 0 ? IN_LEDGER : ''
    return `${say(nb_deleted)} supprimée${nb_deleted > 1 ? 's' : ''}.${told}`
  }

  return (
    <article ref={form} className="flex flex-col gap-3 rounded-xl border border-line p-4">
      {dialog}
      <h3 className="font-medium">Demandes d’une personne</h3>
      <TextField
        label="Adresse email, dans tous vos quiz et sondages"
        type="email"
        value={email}
        maxLength={LIMITS.email}
        autoComplete="off"
        error={error || undefined}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button busy={isBusy} onClick={() => void attempt(give)}>
          Télécharger ses données
        </Button>
        <Button variant="ghost" busy={isBusy} onClick={() => void attempt(remove)}>
          Supprimer ses données
        </Button>
      </div>
      <p role="status" className="text-ink-2 empty:hidden">
        {note}
      </p>
    </article>
  )
}

const IN_LEDGER = ' Ce que vos outils répondent se lit dans les envois de chaque quiz.'
const NO_PARTICIPATION = 'Aucune participation à cette adresse.'

const say = (count: number): string => `${count} participation${count > 1 ? 's' : ''}`

const saveAs = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
