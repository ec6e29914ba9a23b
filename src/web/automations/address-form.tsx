import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { readFieldMessage } from '#contract/kit/field-message.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { keepFocusInView } from '#web/editor/fields/scrolling.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { focusFirstError } from '#web/session/credentials-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { useLatest } from '#web/ui/use-latest.ts'

/**
 * Renders the address field of a webhook. The server checks the address on save, and the error is shown below the
 * field.
 */
export const AddressForm = ({
  label,
  action,
  initial = '',
  save,
  onSaved,
}: {
  label: string
  action: string
  initial?: string
  save: (url: string) => Promise<void>
  /** Called after the save, unless another address was typed meanwhile. */
  onSaved?: () => void
}) => {
  const [url, setUrl] = useState(initial)
  const typed = useLatest(url)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    const sent = url.trim()
    setBusy(true)
    setError(undefined)
    try {
      await save(sent)
      keepFocusInView()
      // An address that was typed during the call stays in the field.
      if (typed.current.trim() === sent) {
        setUrl('')
        onSaved?.()
      }
    } catch (failure) {
      const sentence = failureText(failure, 'L’adresse n’a pas pu être enregistrée. Réessayez.')
      flushSync(() => setError(readFieldMessage(sentence).reason))
      focusFirstError(form)
    }
    setBusy(false)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-60">
        <TextField
          type="url"
          label={label}
          value={url}
          {...(error && { error })}
          placeholder="https://exemple.fr/webhook"
          maxLength={LIMITS.address}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            setUrl(event.currentTarget.value)
            setError(undefined)
          }}
        />
      </div>
      <Button type="submit" busy={isBusy} className="min-h-10">
        {action}
      </Button>
    </form>
  )
}
