import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { auth } from '#web/api/auth-client.ts'
import { authMessage } from '#web/session/auth-labels.ts'
import { CodeField } from '#web/session/code-field.tsx'
import { unwrapAuthData, useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { Outcome } from './section.tsx'

const groupWithHyphens = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? code

/** Creates and replaces recovery codes for a lost factor, and shows them once. */
export const RecoveryCodes = ({ hasCodes, onMade }: { hasCodes: boolean; onMade: () => void }) => {
  const [codes, setCodes] = useState<string[]>([])
  const { run, isBusy, failed } = useAction('Les codes n’ont pas pu être créés')
  const make = (): Promise<void> =>
    run(async () => {
      const { recoveryCodes } = auth.mfa
      const made = await unwrapAuthData(
        hasCodes ? recoveryCodes.regenerate() : recoveryCodes.generate(),
      )
      setCodes(made.codes)
      onMade()
      return undefined
    })
  return (
    <div className="flex flex-col items-start gap-3 border-t border-line pt-3">
      <p className="text-ink-2">
        {hasCodes
          ? 'Vous avez des codes de secours. En créer d’autres remplace les anciens.'
          : 'Créez des codes de secours pour le jour où votre second facteur sera perdu.'}
      </p>
      <Outcome failed={failed} />
      {codes.length > 0 && (
        <div role="status" className="flex w-full flex-col gap-2 rounded-lg bg-wash p-3">
          <p>
            Gardez-les en lieu sûr : ils ne seront plus jamais affichés, et chacun sert une fois.
          </p>
          <ul className="grid gap-x-6 gap-y-1 font-mono select-all sm:grid-cols-2">
            {codes.map((code) => (
              <li key={code}>{groupWithHyphens(code)}</li>
            ))}
          </ul>
        </div>
      )}
      <Button busy={isBusy} onClick={make}>
        {hasCodes ? 'Remplacer les codes de secours' : 'Créer des codes de secours'}
      </Button>
    </div>
  )
}

const groupWithSpaces = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret

const enroll = async (friendlyName: string) => {
  // An enrolment that was not finished still has the name.
  const { all } = await unwrapAuthData(auth.mfa.listFactors())
  const left = all.find((factor) => factor.friendly_name === friendlyName)
  if (left) await unwrapAuthData(auth.mfa.unenroll({ factorId: left.id }))
  return unwrapAuthData(auth.mfa.enroll({ factorType: 'totp', friendlyName }))
}

/** Sets up an authenticator application: a QR code, the same key as text, and a field for the application's code. */
export const AuthenticatorDialog = ({ name, onClose }: { name: string; onClose: () => void }) => {
  const { data: factor, error } = useQuery({
    queryKey: ['authenticator', name],
    queryFn: () => enroll(name),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const [code, setCode] = useState('')
  const verify = useMutation({
    mutationFn: (factorId: string) =>
      unwrapAuthData(auth.mfa.challengeAndVerify({ factorId, code })),
    onSuccess: onClose,
  })
  const refusal = error ?? verify.error
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (factor && !verify.isPending) verify.mutate(factor.id)
  }
  return (
    <Dialog title="Ajouter une application" open onClose={onClose}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p>
          Dans votre application d’authentification, photographiez ce code, ou saisissez la clé.
        </p>
        {factor && (
          <>
            <img
              src={factor.totp.qr_code}
              alt="Code QR à photographier avec l’application"
              className="size-44 self-center rounded-lg bg-white"
            />
            <p className="text-center">
              <span className="text-ink-2">Clé : </span>
              <code className="wrap-anywhere select-all">
                {groupWithSpaces(factor.totp.secret)}
              </code>
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
