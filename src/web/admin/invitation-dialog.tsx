import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { Outcome } from '#web/account/section.tsx'
import { emailError } from '#web/session/credentials-form.tsx'
import { useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { LinkField } from '#web/ui/form/link-field.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ADMIN_KEY, adminClient } from './admin-queries.ts'

type Invitation = { email: string; link: string | null }

/** Renders the creation of an account: its address, then the link of the invitation if no mail was sent. */
export const InvitationDialog = ({
  onInvited,
  onClose,
}: {
  /** Called with the address once the account exists. */
  onInvited: (invitation: Invitation) => void
  onClose: () => void
}) => {
  const [invitation, setInvitation] = useState<{ email: string; link: string }>()
  const take = (made: Invitation): void => {
    onInvited(made)
    if (made.link === null) onClose()
    else setInvitation({ email: made.email, link: made.link })
  }
  return (
    <Dialog title={invitation ? 'Lien d’invitation' : 'Créer un compte'} open onClose={onClose}>
      {invitation ? (
        <InvitationLink {...invitation} onClose={onClose} />
      ) : (
        <InvitationForm onInvited={take} onCancel={onClose} />
      )}
    </Dialog>
  )
}

const InvitationForm = ({
  onInvited,
  onCancel,
}: {
  onInvited: (invitation: Invitation) => void
  onCancel: () => void
}) => {
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const queryClient = useQueryClient()
  const { run, isBusy, failed } = useAction('Le compte n’a pas pu être créé')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = emailError(email)
    setError(found)
    if (found) {
      field.current?.focus()
      return
    }
    void run(async () => {
      const made = await adminClient.invite({ body: { email: email.trim() } })
      void queryClient.invalidateQueries({ queryKey: ADMIN_KEY })
      onInvited(made)
      return undefined
    })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-ink-2">
        La personne reçoit un lien qui sert une fois, pendant une heure. Elle y choisit son mot de
        passe.
      </p>
      <TextField
        ref={field}
        data-initial-focus
        label="Adresse email"
        type="email"
        value={email}
        maxLength={LIMITS.email}
        autoComplete="off"
        {...(error && { error })}
        onChange={(event) => {
          setEmail(event.currentTarget.value)
          setError(undefined)
        }}
      />
      <Outcome failed={failed} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Annuler</Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          Créer et inviter
        </Button>
      </div>
    </form>
  )
}

const InvitationLink = ({
  email,
  link,
  onClose,
}: {
  email: string
  link: string
  onClose: () => void
}) => (
  <div className="flex flex-col gap-4">
    <p className="wrap-anywhere">
      Aucun serveur de messagerie n’est configuré : transmettez vous-même ce lien à{' '}
      <span dir="auto">{email}</span>. Il ne sera plus affiché, sert une fois et vaut une heure.
    </p>
    <LinkField label="Lien d’invitation" link={link} takesFocus>
      <Button onClick={onClose}>Terminer</Button>
    </LinkField>
  </div>
)
