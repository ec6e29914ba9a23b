import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ShownSender } from '#contract/forwarding/mail-senders.ts'
import { readFieldMessage } from '#contract/kit/field-message.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { MAX_REPLY_ADDRESSES } from '#domain/mail-senders/reply-to.ts'
import { senderNameError } from '#domain/mail-senders/sender-name.ts'
import { Outcome } from '#web/account/section.tsx'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { CodeField } from '#web/session/code-field.tsx'
import { emailError, focusFirstError } from '#web/session/credentials-form.tsx'
import { useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure, Loading } from '#web/ui/feedback/screen-state.tsx'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { SenderPreview } from './sender-preview.tsx'
import { senderQuery } from './sender-queries.ts'

/** Edits the sender of the account's mails to participants, and the addresses for replies. */
const SenderSection = () => {
  const query = useQuery(senderQuery())
  const { data: sender, error } = query
  if (sender) return <Settings sender={sender} />
  return error ? (
    <LoadFailure text={failureText(error, 'L’expéditeur n’a pas pu être chargé.')} query={query} />
  ) : (
    <Loading text="Chargement..." />
  )
}

/** Returns the function that shows the settings of an answer. */
const useStore = () => {
  const queries = useQueryClient()
  return ({ sender }: { sender: ShownSender }): void => {
    queries.setQueryData(senderQuery().queryKey, sender)
  }
}

const Settings = ({ sender }: { sender: ShownSender }) => {
  const { addresses, account_email, reply_to, can_add, pending_email } = sender
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">
        Vos participants reçoivent leur résultat à ce nom, depuis l’adresse de ce site. Chaque
        questionnaire peut avoir un autre nom et une autre adresse pour les réponses : onglet
        Automatisations de ses réglages.
      </p>
      <NameForm sender={sender} />
      <Replies sender={sender} />
      <SenderPreview sender={sender} quiz_name={null} quiz_choice={null} />
      {can_add && (addresses.length < MAX_REPLY_ADDRESSES || pending_email !== null) && (
        <AddressForm key={addresses.length} pending={pending_email} />
      )}
      {addresses.length >= MAX_REPLY_ADDRESSES && (
        <p className="text-sm text-ink-2">
          Un compte a {MAX_REPLY_ADDRESSES} adresses pour les réponses au plus.
        </p>
      )}
      {account_email === null && reply_to === 'account' && (
        <p className="text-sm text-ink-2">
          L’adresse de votre compte n’est pas confirmée : ajoutez une adresse pour recevoir les
          réponses.
        </p>
      )}
    </div>
  )
}

const NameForm = ({ sender }: { sender: ShownSender }) => {
  const store = useStore()
  const stored = sender.sender_name ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const { run, isBusy, done, failed, forget } = useAction('Le nom n’a pas pu être enregistré')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = senderNameError(typed ?? stored)
    setError(found)
    if (found) focusFirstError()
    else
      void run(async () => {
        const body = { sender_name: typed ?? stored, replaces: { sender_name: sender.sender_name } }
        store(await lazyClient.mailSender.set({ body }))
        setTyped(null)
        return 'Le nom est enregistré.'
      })
  }
  return (
    <form noValidate onSubmit={submit} className="flex max-w-sm flex-col gap-3">
      <TextField
        label="Nom de l’expéditeur"
        hint="Votre nom, ou celui de votre activité. « via Quizaine » le suit."
        autoComplete="name"
        value={typed ?? stored}
        maxLength={LIMITS.sender_name}
        {...(error && { error })}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setError(undefined)
          forget()
        }}
      />
      <Outcome done={done} failed={failed && readFieldMessage(failed).reason} />
      <Button type="submit" busy={isBusy} className="self-start">
        Enregistrer le nom
      </Button>
    </form>
  )
}

const Replies = ({ sender }: { sender: ShownSender }) => {
  const { addresses, account_email, reply_to } = sender
  const store = useStore()
  const { confirm } = useDialogs()
  const { run, isBusy, done, failed } = useAction('L’adresse n’a pas pu être changée')
  // Choice that is being stored, shown until the answer of the server.
  const [pending, setPending] = useState<string>()
  const choose = (choice: string): void => {
    setPending(choice)
    void run(async () => {
      try {
        const body = { reply_to: choice, replaces: { reply_to } }
        store(await lazyClient.mailSender.set({ body }))
      } finally {
        setPending(undefined)
      }
      return undefined
    })
  }
  const remove = async ({ id, email }: { id: string; email: string }): Promise<void> => {
    const question = `Retirer ${email} ? Les emails à venir, aussi ceux qui attendent, n’y renverront plus les réponses.`
    if (!(await confirm(question, { confirm_label: 'Retirer', danger: true }))) return
    void run(async () => {
      store(await lazyClient.mailSender.removeAddress({ id }))
      return `${email} est retirée.`
    })
  }
  const options = [
    ...(account_email
      ? [{ value: 'account', label: account_email, hint: 'Adresse du compte' }]
      : []),
    ...addresses.map(({ id, email }) => ({ value: id, label: email })),
    { value: 'none', label: 'Aucune : personne ne lit les réponses' },
  ]
  const isListed = options.some(({ value }) => value === reply_to)
  return (
    <div className="flex flex-col gap-3">
      <h3 className="text-sm font-semibold">Adresse pour les réponses</h3>
      <RadioGroup
        legend="Adresse pour les réponses"
        value={pending ?? (isListed ? reply_to : 'none')}
        options={options}
        onChange={choose}
      />
      {addresses.length > 0 && (
        <ul className="flex flex-col gap-2">
          {addresses.map((address) => (
            <li key={address.id} className="flex flex-wrap items-center justify-between gap-2">
              <span className="text-sm wrap-anywhere">{address.email}</span>
              <Button
                disabled={isBusy}
                aria-label={`Retirer ${address.email}`}
                onClick={() => void remove(address)}
              >
                Retirer
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Outcome done={done} failed={failed && readFieldMessage(failed).reason} />
    </div>
  )
}

const AddressForm = ({ pending }: { pending: string | null }) => {
  const store = useStore()
  const [sent, setSent] = useState<string | null>(pending)
  const [typed, setTyped] = useState('')
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const { run, isBusy, done, failed, forget } = useAction('L’adresse n’a pas pu être ajoutée')
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value)
    setError(undefined)
    forget()
  }
  const request = async (): Promise<string> => {
    await lazyClient.mailSender.addAddress({ body: { email: typed } })
    setSent(typed.trim())
    return 'Un code vient de partir vers cette adresse.'
  }
  const verify = async (): Promise<undefined> => {
    store(await lazyClient.mailSender.confirmAddress({ body: { email: sent ?? '', code } }))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const missing = code === '' ? 'Saisissez le code' : undefined
    const found = sent === null ? emailError(typed) : missing
    setError(found)
    if (found) focusFirstError()
    else void run(sent === null ? request : verify)
  }
  return (
    <form noValidate onSubmit={submit} className="flex max-w-sm flex-col gap-3">
      {sent === null ? (
        <TextField
          label="Autre adresse pour les réponses"
          type="email"
          autoComplete="email"
          value={typed}
          {...(error && { error })}
          onChange={(event) => edit(setTyped)(event.currentTarget.value)}
        />
      ) : (
        <>
          <p className="text-ink-2">
            Un code est parti à <strong className="wrap-anywhere">{sent}</strong>. Il est valable
            une heure.
          </p>
          <CodeField
            label="Code reçu par email"
            value={code}
            error={error}
            onChange={edit(setCode)}
          />
        </>
      )}
      <Outcome done={done} failed={failed && readFieldMessage(failed).reason} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={isBusy}>
          {sent === null ? 'Recevoir un code' : 'Confirmer l’adresse'}
        </Button>
        {sent !== null && (
          <Button
            onClick={() => {
              setSent(null)
              setCode('')
              forget()
            }}
          >
            Changer d’adresse
          </Button>
        )}
      </div>
    </form>
  )
}

export default SenderSection
