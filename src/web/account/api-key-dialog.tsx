import { useQueryClient } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { KEY_LIFETIMES, type KeyScope, MAX_KEY_NAME_LENGTH } from '#domain/accounts/api-key.ts'
import { isBlankText } from '#domain/common/text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { apiKeysQuery } from './account-queries.ts'
import { Outcome } from './section.tsx'

/** French names of the scopes of a key. */
export const SCOPE_LABELS: Record<KeyScope, string> = {
  lecture: 'Lecture',
  écriture: 'Lecture et écriture',
}

const SCOPES = [
  {
    value: 'lecture',
    label: SCOPE_LABELS.lecture,
    hint: 'Lire les quiz, les statistiques et les réponses, adresses email comprises.',
  },
  {
    value: 'écriture',
    label: SCOPE_LABELS.écriture,
    hint: 'Aussi créer, modifier, publier et supprimer des quiz et des réponses.',
  },
] as const satisfies { value: KeyScope; label: string; hint: string }[]

const NEVER = 'never'
const LIFETIMES = [
  ...KEY_LIFETIMES.map((days) => ({ value: String(days), label: `Dans ${days} jours` })),
  { value: NEVER, label: 'Jamais' },
]
const DEFAULT_LIFETIME = '90'

/** Creates an API key in two steps: its settings, then the key itself, which is shown only once. */
export const ApiKeyDialog = ({ onClose }: { onClose: () => void }) => {
  const [secret, setSecret] = useState<string>()
  return (
    <Dialog title={secret ? 'Votre clé d’API' : 'Créer une clé d’API'} open onClose={onClose}>
      {secret ? (
        <NewKey secret={secret} onClose={onClose} />
      ) : (
        <KeyForm onMade={setSecret} onCancel={onClose} />
      )}
    </Dialog>
  )
}

const KeyForm = ({
  onMade,
  onCancel,
}: {
  onMade: (secret: string) => void
  onCancel: () => void
}) => {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<KeyScope>('lecture')
  const [lifetime, setLifetime] = useState(DEFAULT_LIFETIME)
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const queryClient = useQueryClient()
  const { run, isBusy, failed } = useAction('La clé n’a pas pu être créée')

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isBlankText(name)) {
      setError('Donnez-lui un nom, pour la reconnaître')
      field.current?.focus()
      return
    }
    void run(async () => {
      const expires_in_days = KEY_LIFETIMES.find((days) => String(days) === lifetime) ?? null
      const made = await lazyClient.apiKeys.create({ body: { name, scope, expires_in_days } })
      void queryClient.invalidateQueries(apiKeysQuery())
      onMade(made.secret)
      return undefined
    })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        ref={field}
        data-initial-focus
        label="Nom de la clé"
        hint="Par exemple le programme qui s’en servira."
        value={name}
        maxLength={MAX_KEY_NAME_LENGTH}
        autoComplete="off"
        {...(error && { error })}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setError(undefined)
        }}
      />
      <RadioGroup
        legend="Ce que la clé permet"
        value={scope}
        options={SCOPES}
        onChange={setScope}
      />
      <Select label="Expiration" value={lifetime} options={LIFETIMES} onChange={setLifetime} />
      <Outcome failed={failed} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Annuler</Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          Créer la clé
        </Button>
      </div>
    </form>
  )
}

const NewKey = ({ secret, onClose }: { secret: string; onClose: () => void }) => {
  const { isCopied, copy } = useCopy()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <div className="flex flex-col gap-4">
      <p>
        Copiez-la maintenant et gardez-la en lieu sûr : elle ne sera plus jamais affichée. Qui l’a
        peut agir à votre place ; ne la mettez ni dans une page web, ni dans un message.
      </p>
      <label className="flex flex-col gap-1 text-sm font-medium">
        Clé d’API
        <input
          ref={field}
          readOnly
          value={secret}
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
          className="h-10 w-full rounded-lg border border-field bg-wash px-3 font-mono text-base font-normal text-ink pointer-coarse:min-h-11"
        />
      </label>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          variant="primary"
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          onClick={() => {
            // The key stays selected, so that the creator can copy it by hand if the clipboard is not allowed.
            field.current?.select()
            void copy(secret)
          }}
        >
          {isCopied ? 'Copiée' : 'Copier'}
        </Button>
        <Button onClick={onClose}>J’ai gardé la clé</Button>
      </div>
    </div>
  )
}
