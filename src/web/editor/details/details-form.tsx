import { type FormEvent, type ReactNode, useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { isBlankText } from '#domain/common/text.ts'
import { LIMITS, QUIZ_STATUSES, QUIZ_TYPES, type QuizType } from '#domain/common/vocabulary.ts'
import { saveErrorText } from '#web/api/error-text.ts'
import { isStale } from '#web/editor/draft/draft-server.ts'
import type { Details } from '#web/editor/draft/use-save-details.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'

const TYPES: Record<QuizType, string> = { quiz: 'Quiz avec résultat', sondage: 'Sondage' }

type SaveRequest = {
  isPending: boolean
  isSuccess: boolean
  error: Error | null
  reset: () => void
}

/** Shows the form for the name, type and status of a quiz, saved by a button. */
export const DetailsForm = ({
  title,
  action,
  details,
  isNew = false,
  saving,
  onSave,
  children,
}: {
  title: string
  action: string
  details: Details
  isNew?: boolean
  saving: SaveRequest
  onSave: (details: Details) => void
  children?: ReactNode
}) => {
  const [changes, setChanges] = useState<Partial<Details>>({})
  const { name, type, status } = details
  const edited: Details = { name, type, status, ...changes }
  const isBlank = isBlankText(edited.name)
  const change = (more: Partial<Details>): void => {
    saving.reset()
    setChanges({ ...changes, ...more })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isBlank) onSave({ ...edited, name: edited.name.trim() })
  }

  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-6 p-4 sm:p-6">
      <title>{`${title} – Quizaine`}</title>
      <ButtonLink to="/dashboard" variant="ghost" className="self-start">
        ← Retour
      </ButtonLink>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <form onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label="Nom"
          value={edited.name}
          required
          maxLength={LIMITS.quiz_name}
          error={isBlank ? 'Le nom est obligatoire' : undefined}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Select
          label="Type"
          value={edited.type}
          options={QUIZ_TYPES.map((type) => ({ value: type, label: TYPES[type] }))}
          onChange={(type) => change({ type })}
        />
        <Select
          label="Statut"
          value={edited.status}
          disabled={isNew}
          hint={isNew ? 'Un nouveau questionnaire commence en brouillon.' : undefined}
          options={QUIZ_STATUSES.map((status) => ({ value: status, label: status }))}
          onChange={(status) => change({ status })}
        />
        <SaveError error={saving.error} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" busy={saving.isPending} disabled={isBlank}>
            {action}
          </Button>
          {children}
          <p role="status" className="text-sm text-ok">
            {saving.isSuccess && !isNew ? 'Modifications enregistrées' : ''}
          </p>
        </div>
      </form>
    </div>
  )
}

/** Shows why the form was not saved, or why a quiz set to « Publié » cannot be published (product 6.9, 14.2). */
const SaveError = ({ error }: { error: Error | null }) => {
  const reasons = error instanceof RefusedCall ? error.validation_errors : []
  return (
    <div role="alert">
      {error && (
        <div className="rounded-xl bg-bad-wash p-4 text-sm text-bad">
          <p className="font-medium">{saveErrorText(error)}</p>
          {isStale(error) && (
            <p className="mt-1">
              Les champs que vous n’avez pas touchés sont à jour : vérifiez, puis sauvegardez de
              nouveau.
            </p>
          )}
          {reasons.length > 0 && (
            <ul className="mt-1 list-disc pl-5">
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}
