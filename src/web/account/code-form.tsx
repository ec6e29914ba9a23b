import { type FormEvent, useEffect, useRef, useState } from 'react'
import { PhoneField, SmsCodeField } from '#web/session/code-field.tsx'
import { focusFirstError } from '#web/session/credentials-form.tsx'
import { phoneNumberError, readPhoneNumber } from '#web/session/phone-number.ts'
import { useAction } from '#web/session/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Outcome } from './section.tsx'

/** Asks for a phone number, then for the code sent to it. `verify` gets the result of `send` and the typed code. */
export const CodeForm = <Sent,>({
  label,
  fallback,
  send,
  verify,
  onCancel,
}: {
  label: string
  fallback: string
  /** Sends the code; resolves to undefined if no code is needed. */
  send: (phone: string) => Promise<Sent | undefined>
  verify: (sent: Sent, code: string) => Promise<unknown>
  onCancel?: () => void
}) => {
  const [typed, setTyped] = useState('')
  const [sent, setSent] = useState<{ phone: string; challenge: Sent }>()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const { run, isBusy, done, failed, forget } = useAction(fallback)

  const form = useRef<HTMLFormElement>(null)
  const hasSent = useRef(false)
  useEffect(() => {
    // The field also gets the focus when the creator goes back from the code to the number.
    if (sent || hasSent.current) form.current?.querySelector('input')?.focus()
    hasSent.current = sent !== undefined
  }, [sent])

  const start = async (): Promise<string | undefined> => {
    const phone = readPhoneNumber(typed) ?? ''
    const challenge = await send(phone)
    if (challenge !== undefined) setSent({ phone, challenge })
    else setTyped('')
    return challenge === undefined ? 'Le numéro est enregistré.' : undefined
  }
  const end = async (): Promise<string | undefined> => {
    if (sent) await verify(sent.challenge, code)
    setSent(undefined)
    setTyped('')
    setCode('')
    return 'Le numéro est enregistré.'
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const missing = code === '' ? 'Saisissez le code' : undefined
    const found = sent ? missing : phoneNumberError(typed)
    setError(found)
    if (found) focusFirstError()
    else run(sent ? end : start)
  }
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    setError(undefined)
    forget()
  }
  const resetForm = (): void => {
    setSent(undefined)
    setCode('')
    forget()
    onCancel?.()
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className={`flex flex-col gap-3 ${onCancel ? '' : 'max-w-sm'}`}
    >
      {sent ? (
        <SmsCodeField phone={sent.phone} value={code} error={error} onChange={change(setCode)} />
      ) : (
        <PhoneField label={label} value={typed} error={error} onChange={change(setTyped)} />
      )}
      <Outcome done={done} failed={failed} />
      <div className={`flex flex-wrap gap-2 ${onCancel ? 'justify-end' : ''}`}>
        {(sent || onCancel) && <Button onClick={resetForm}>Annuler</Button>}
        <Button type="submit" variant={onCancel ? 'primary' : 'secondary'} busy={isBusy}>
          {sent ? 'Vérifier' : 'Recevoir un code'}
        </Button>
      </div>
    </form>
  )
}
