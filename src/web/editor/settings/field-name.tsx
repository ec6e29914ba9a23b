import { type FormEvent, useState } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { fieldNameOf, readFieldName } from '#domain/deliveries/integrations.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { useAlertOnFailure } from '#web/integrations/use-alert-on-failure.ts'
import { focusFirstError } from '#web/session/credentials-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'

const TEXTS = {
  convertkit: {
    label: 'Champ personnalisé Kit',
    error: 'Donnez un nom à ce champ, de 100 caractères au plus',
    bodyOf: (name: string) => ({ kit_custom_field: name }),
  },
  brevo: {
    label: 'Attribut Brevo',
    error: 'Lettres sans accent, chiffres et _ seulement, en commençant par une lettre',
    bodyOf: (name: string) => ({ brevo_attribute_name: name }),
  },
}

/** Edits the name of the tool's custom field that receives the result of the quiz. */
export const FieldName = ({
  provider,
  quiz,
  onSaved,
}: {
  provider: keyof typeof TEXTS
  quiz: Quiz
  /** Reloads the stored name. */
  onSaved: () => Promise<void>
}) => {
  const { label, error: refusal, bodyOf } = TEXTS[provider]
  const stored = fieldNameOf(provider, quiz)
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<string>()
  const { run, isBusy } = useAlertOnFailure()
  const shown = typed ?? stored

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const name = readFieldName(provider, shown)
    setError(name === undefined ? refusal : undefined)
    if (name === undefined) focusFirstError()
    else void save(name)
  }
  const save = (name: string): Promise<void> =>
    run(
      async () => {
        await client.quizzes.update({ id: quiz.id, body: bodyOf(name) })
        try {
          await onSaved()
          // Text typed during the save stays.
          setTyped((text) =>
            text !== undefined && readFieldName(provider, text) === name ? undefined : text,
          )
        } catch (failure) {
          // The name is stored; the typed text stays until the stored name can be loaded.
          console.warn('Refreshing failed', failure)
        }
        return undefined
      },
      { failure: 'Erreur lors de la mise à jour' },
    )
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-60">
        <TextField
          label={label}
          value={shown}
          maxLength={LIMITS.integration_field}
          autoComplete="off"
          spellCheck={false}
          {...(error && { error })}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setError(undefined)
          }}
        />
      </div>
      <Button type="submit" busy={isBusy} disabled={shown.trim() === stored} className="min-h-10">
        Enregistrer
      </Button>
    </form>
  )
}
