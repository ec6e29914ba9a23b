import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { auth } from '#web/api/auth-client.ts'
import { authMessage } from '#web/session/auth-messages.ts'
import { CodeField } from '#web/session/code-field.tsx'
import { dataOf } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Outcome } from './section.tsx'

const groupWithSpaces = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret

const enroll = async (friendlyName: string) => {
  // An enrolment that was not finished still has the name.
  const { all } = await dataOf(auth.mfa.listFactors())
  const left = all.find((factor) => factor.friendly_name === friendlyName)
  if (left) await dataOf(auth.mfa.unenroll({ factorId: left.id }))
  return dataOf(auth.mfa.enroll({ factorType: 'totp', friendlyName }))
}

/** Sets up an authenticator application: a QR code, the same key as text, and the code that it shows. */
export const AuthenticatorDialog = ({ name, onClose }: { name: string; onClose: () => void }) => {
  const { data: begun, error } = useQuery({
    queryKey: ['authenticator', name],
    queryFn: () => enroll(name),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const [code, setCode] = useState('')
  const verify = useMutation({
    mutationFn: (factorId: string) => dataOf(auth.mfa.challengeAndVerify({ factorId, code })),
    onSuccess: onClose,
  })
  const refusal = error ?? verify.error
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (begun && !verify.isPending) verify.mutate(begun.id)
  }
  return (
    <Dialog title="Ajouter une application" open onClose={onClose}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p>
          Dans votre application d’authentification, photographiez ce code, ou saisissez la clé.
        </p>
        {begun && (
          <>
            <img
              src={begun.totp.qr_code}
              alt="Code QR à photographier avec l’application"
              className="size-44 self-center rounded-lg bg-white"
            />
            <p className="text-center">
              <span className="text-ink-2">Clé : </span>
              <code className="wrap-anywhere select-all">{groupWithSpaces(begun.totp.secret)}</code>
            </p>
          </>
        )}
        <CodeField
          label="Code affiché par l’application"
          value={code}
          onChange={(typed) => {
            setCode(typed)
            verify.reset()
          }}
        />
        <Outcome
          failed={
            refusal ? authMessage(refusal, 'L’application n’a pas pu être ajoutée') : undefined
          }
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Annuler</Button>
          <Button type="submit" variant="primary" busy={verify.isPending} disabled={code === ''}>
            Activer
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
